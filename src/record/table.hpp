// Tables as comma-separated values: the shortest digits that read back as the same double, fields of text quoted where they need it.
#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "record/hdf5_file.hpp"

namespace armature::internal {

// A matrix with names for its columns and, where given, its rows.
// row_names: empty, or one per row (the first column then has no name). Throws RecordError.
void write_table(const std::filesystem::path& file, const std::vector<std::string>& columns,
                 const Eigen::MatrixXd& values, const std::vector<std::string>& row_names = {});

// Whether a spreadsheet that opens the table computes this text in place of showing it.
inline bool is_formula_of_spreadsheets(const std::string& text) { return text.find_first_of("=+-@") == 0; }

// A table of numbers and texts, field by field.
class CsvTable {
 public:
  explicit CsvTable(const std::vector<std::string>& header);
  CsvTable& add(double value);
  CsvTable& add(const std::string& text);
  void end_row();
  // Many rows, by all cores: `add` puts row after row into a part of the table, its end included, and is called by several threads.
  void add_rows(long count, const std::function<void(CsvTable& part, long row)>& add);
  void write(const std::filesystem::path& file) const;  // throws RecordError

 private:
  CsvTable() = default;
  std::string text_;
};

// A matrix row by row, as HDF5.
void write_matrix(Hdf5File& file, const std::string& name, const Eigen::MatrixXd& values);

}  // namespace armature::internal
