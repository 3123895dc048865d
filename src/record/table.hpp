// A matrix as comma-separated values with names for its columns and, where given, its rows; the shortest digits that read
// back as the same double.
#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <vector>

namespace armature::internal {

// row_names: empty, or one per row (the first column then has no name). Throws RecordError.
void write_table(const std::filesystem::path& file, const std::vector<std::string>& columns,
                 const Eigen::MatrixXd& values, const std::vector<std::string>& row_names = {});

}  // namespace armature::internal
