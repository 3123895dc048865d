#include "record/table.hpp"

#include <fmt/format.h>

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

}  // namespace armature::internal
