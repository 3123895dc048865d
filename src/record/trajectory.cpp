#include "record/trajectory.hpp"

#include <fmt/format.h>

#include <fstream>
#include <limits>
#include <string>
#include <string_view>

#include "expression/number_text.hpp"
#include "model/file_kind.hpp"
#include "record/record_error.hpp"

namespace armature::internal {
namespace {

std::ifstream opened(const std::filesystem::path& file) {
  const bool regular = why_no_file(file).empty();
  std::ifstream in(regular ? file : std::filesystem::path());
  if (!in) throw RecordError(fmt::format("{}: there is no such recording", file.string()));
  return in;
}

// Fields of a header: commas inside quotes do not part them, and doubled quotes are one (RFC 4180).
std::vector<std::string> header_fields(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      fields.back() += line[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else if (c != '\r')
      fields.back() += c;
  }
  return fields;
}

// "theta1 [rad]"
Channel channel_of(const std::string& field) {
  const auto bracket = field.rfind(" [");
  if (bracket == std::string::npos || field.back() != ']') return {field, ""};
  return {field.substr(0, bracket), field.substr(bracket + 2, field.size() - bracket - 3)};
}

double number_of(std::string_view field) {
  return read_number(field).value_or(std::numeric_limits<double>::quiet_NaN());
}

// Fields of a row; false: there are fewer or more than asked for.
bool split(std::string_view line, std::vector<std::string_view>& fields) {
  std::size_t count = 0, at = 0;
  for (;; ++count) {
    const auto comma = line.find(',', at);
    if (count < fields.size()) fields[count] = line.substr(at, comma - at);
    if (comma == std::string_view::npos) return count + 1 == fields.size();
    at = comma + 1;
  }
}

}  // namespace

std::vector<Channel> read_channels(const std::filesystem::path& file) {
  std::ifstream in = opened(file);
  std::string header;
  std::getline(in, header);
  std::vector<Channel> channels;
  for (const std::string& field : header_fields(header)) channels.push_back(channel_of(field));
  return channels;
}

std::vector<std::vector<double>> read_columns(const std::filesystem::path& file, const std::vector<int>& columns) {
  std::ifstream in = opened(file);
  std::string line;
  std::getline(in, line);
  std::vector<std::string_view> fields(header_fields(line).size());
  std::vector<std::vector<double>> values(columns.size());
  for (long number = 2; std::getline(in, line); ++number) {
    if (!split(line, fields)) {
      if (in.eof()) break;  // cut short
      throw RecordError(fmt::format("{}: line {}: expected {} numbers", file.string(), number, fields.size()));
    }
    for (std::size_t k = 0; k < columns.size(); ++k)
      values[k].push_back(number_of(fields.at(static_cast<std::size_t>(columns[k]))));
  }
  return values;
}

}  // namespace armature::internal
