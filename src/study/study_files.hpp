// The files of map, sweep and optimize: result.json, tables as CSV, results.h5.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "record/hdf5_file.hpp"
#include "study/map.hpp"
#include "study/optimization.hpp"
#include "study/sweep.hpp"

namespace armature::internal {

// What result.json says besides the description of the session. command: runs one motion by itself; may be empty.
nlohmann::ordered_json to_json(const MapResult& map, const std::string& command);
nlohmann::ordered_json to_json(const SweepResult& sweep, const std::string& command);
// set: the settings of the best point, command: runs it.
nlohmann::ordered_json to_json(const OptimizationResult& result, const std::string& set, const std::string& command);

// The tables, and results.h5 with the description. Throw RecordError.
void write_files(const MapResult& map, const nlohmann::ordered_json& description, const std::filesystem::path& folder);
void write_files(const SweepResult& sweep, const nlohmann::ordered_json& description,
                 const std::filesystem::path& folder);
void write_files(const OptimizationResult& result, const nlohmann::ordered_json& description,
                 const std::filesystem::path& folder);

// Columns of results in a table: marked where they are a preview (`--gpu=preview`).
std::vector<std::string> marked_columns(std::vector<std::string> columns, const nlohmann::ordered_json& description);

// The description and the text of the model, which every results.h5 holds.
void write_description(Hdf5File& file, const nlohmann::ordered_json& description);

}  // namespace armature::internal
