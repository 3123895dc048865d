// Rows of a run read back from trajectory.csv, by columns.
#pragma once

#include <filesystem>
#include <vector>

#include "record/recorder.hpp"

namespace armature::internal {

// Names and units of the header. Throws RecordError.
std::vector<Channel> read_channels(const std::filesystem::path& file);

// The values of some columns, by their places in the header. A last line that was cut short is left out. Throws RecordError.
std::vector<std::vector<double>> read_columns(const std::filesystem::path& file, const std::vector<int>& columns);

}  // namespace armature::internal
