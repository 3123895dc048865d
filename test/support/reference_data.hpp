// The tables of test/data: comma-separated, named columns, a comment line before them that says where they come from.
#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/paths.hpp"

namespace armature::internal {

class ReferenceData {
 public:
  explicit ReferenceData(const std::string& name) {
    std::ifstream file(std::string(source_directory) + "/test/data/" + name);
    if (!file) throw std::runtime_error("no test/data/" + name);
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("#")) continue;
      std::istringstream cells(line);
      std::vector<std::string> row;
      for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
      if (names_.empty()) {
        names_ = row;
        columns_.resize(row.size());
      } else {
        for (std::size_t i = 0; i < row.size(); ++i) columns_.at(i).push_back(std::stod(row[i]));
      }
    }
  }

  int rows() const { return static_cast<int>(columns_.at(0).size()); }
  const std::vector<double>& operator[](const std::string& name) const {
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i] == name) return columns_[i];
    throw std::out_of_range("no column " + name);
  }

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<double>> columns_;
};

}  // namespace armature::internal
