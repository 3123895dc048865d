#include "record/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <iterator>

#include "record/record_error.hpp"
#include "record/usable_cores.hpp"
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

// Rows as texts of some thousand rows each, made by all cores, in their order. add(row, text).
template <class Text, class Begin, class Add>
std::vector<Text> parts_of(long count, const Begin& begin, const Add& add) {
  constexpr long least = 4096;  // below that, a thread takes longer to start
  const long size = std::max(least, (count + usable_cores() - 1) / usable_cores());
  std::vector<std::future<Text>> parts;
  for (long first = 0; first < count; first += size)
    parts.push_back(std::async(count <= size ? std::launch::deferred : std::launch::async, [&, first] {
      Text text = begin();
      for (long row = first; row < std::min(first + size, count); ++row) add(row, text);
      return text;
    }));
  std::vector<Text> texts;
  for (auto& part : parts) texts.push_back(part.get());
  return texts;
}

}  // namespace

void write_table(const std::filesystem::path& file, const std::vector<std::string>& columns,
                 const Eigen::MatrixXd& values, const std::vector<std::string>& row_names) {
  fmt::memory_buffer text;
  for (std::size_t c = 0; c < columns.size(); ++c)
    fmt::format_to(std::back_inserter(text), "{}{}", c > 0 || !row_names.empty() ? "," : "", quoted(columns[c]));
  text.push_back('\n');
  const auto add_row = [&](long r, fmt::memory_buffer& to) {
    if (!row_names.empty()) to.append(quoted(row_names[static_cast<std::size_t>(r)]));
    for (Eigen::Index c = 0; c < values.cols(); ++c)
      fmt::format_to(std::back_inserter(to), "{}{}", c > 0 || !row_names.empty() ? "," : "", values(r, c));
    to.push_back('\n');
  };
  for (const fmt::memory_buffer& part : parts_of<fmt::memory_buffer>(
           values.rows(), [] { return fmt::memory_buffer(); }, add_row))
    text.append(part.data(), part.data() + part.size());
  write_text(file, {text.data(), text.size()});
}

CsvTable::CsvTable(const std::vector<std::string>& header) {
  for (const std::string& name : header) add(name);
  end_row();
}

CsvTable& CsvTable::add(double value) {
  if (std::isnan(value))
    text_ += "nan,";  // of either sign
  else
    fmt::format_to(std::back_inserter(text_), "{},", value);
  return *this;
}

CsvTable& CsvTable::add(const std::string& text) {
  text_ += quoted(text) + ",";
  return *this;
}

void CsvTable::end_row() { text_.back() = '\n'; }

void CsvTable::add_rows(long count, const std::function<void(CsvTable& part, long row)>& add) {
  const auto parts = parts_of<CsvTable>(
      count, [] { return CsvTable(); }, [&](long row, CsvTable& part) { add(part, row); });
  for (const CsvTable& part : parts) text_ += part.text_;
}

void CsvTable::write(const std::filesystem::path& file) const { write_text(file, text_); }

void write_matrix(Hdf5File& file, const std::string& name, const Eigen::MatrixXd& values) {
  const Eigen::MatrixXd rows = values.transpose();  // whose columns lie one after the other
  file.write(name, {rows.data(), static_cast<std::size_t>(rows.size())}, static_cast<int>(values.cols()));
}

}  // namespace armature::internal
