#include "record/table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "record/record_error.hpp"
#include "record/write_text.hpp"

namespace armature::internal {

namespace {

// A field with a comma or a quote is quoted, quotes doubled (RFC 4180).
std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string text = "\"";
  for (char c : field) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + '"';
}

}  // namespace

void write_table(const std::filesystem::path& file, const std::vector<std::string>& columns,
                 const Eigen::MatrixXd& values, const std::vector<std::string>& row_names) {
  fmt::memory_buffer text;
  for (std::size_t c = 0; c < columns.size(); ++c)
    fmt::format_to(std::back_inserter(text), "{}{}", c > 0 || !row_names.empty() ? "," : "", quoted(columns[c]));
  text.push_back('\n');
  for (Eigen::Index r = 0; r < values.rows(); ++r) {
    if (!row_names.empty()) text.append(quoted(row_names[r]));
    for (Eigen::Index c = 0; c < values.cols(); ++c)
      fmt::format_to(std::back_inserter(text), "{}{}", c > 0 || !row_names.empty() ? "," : "", values(r, c));
    text.push_back('\n');
  }
  write_text(file, {text.data(), text.size()});
}

CsvTable::CsvTable(const std::vector<std::string>& header) {
  for (const std::string& name : header) add(name);
  end_row();
}

CsvTable& CsvTable::add(double value) {
  text_ += std::isnan(value) ? "nan," : fmt::format("{},", value);  // of either sign
  return *this;
}

CsvTable& CsvTable::add(const std::string& text) {
  text_ += quoted(text) + ",";
  return *this;
}

void CsvTable::end_row() { text_.back() = '\n'; }

void CsvTable::write(const std::filesystem::path& file) const { write_text(file, text_); }

void write_matrix(Hdf5File& file, const std::string& name, const Eigen::MatrixXd& values) {
  const Eigen::MatrixXd rows = values.transpose();  // whose columns lie one after the other
  file.write(name, {rows.data(), static_cast<std::size_t>(rows.size())}, static_cast<int>(values.cols()));
}

}  // namespace armature::internal
