// Tables: functions of one variable given by points, in the file or in a CSV file next to it.
#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>

#include "expression/number_text.hpp"
#include "model/file_kind.hpp"
#include "model/for_loop.hpp"
#include "model/read_sections.hpp"
#include "model/scope.hpp"
#include "model/yaml_repair.hpp"

namespace armature::internal {
namespace {

using Numbers = std::vector<double>;

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

std::string without_blanks_and_quotes(std::string text) {
  text.erase(0, text.find_first_not_of(" \t\r\n\""));
  text.erase(text.find_last_not_of(" \t\r\n\"") + 1);
  return text;
}

// A comma between quotes belongs to its field.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  for (std::string& field : fields) field = without_blanks_and_quotes(std::move(field));
  return fields;
}

// What a file without two columns may have in place of commas.
std::string other_separator(const std::string& header) {
  if (header.find(';') != std::string::npos) return "its columns are separated by ';'; write ',' and points in numbers";
  if (header.find('\t') != std::string::npos) return "its columns are separated by tabs; write ','";
  return "needs a header line that names at least two columns";
}

double number_of(const std::string& field) {
  const std::optional<double> value = read_number(field);
  if (!value || !std::isfinite(*value)) throw std::runtime_error(fmt::format("'{}' is not a number", field));
  return *value;
}

std::size_t column_of(const std::vector<std::string>& header, const std::string& name) {
  for (std::size_t i = 0; i < header.size(); ++i)
    if (header[i] == name) return i;
  throw std::runtime_error(fmt::format("has no column '{}'{}", name, did_you_mean(name, header)));
}

// Two columns of a CSV file with a header line; empty names: the first two. Throws std::runtime_error with a sentence.
std::pair<Numbers, Numbers> read_columns(const std::string& path, std::pair<std::string, std::string> columns) {
  if (const std::string why = why_no_file(path, "table"); !why.empty()) throw std::runtime_error(why);
  std::ifstream stream(path);
  if (!stream) throw std::runtime_error("cannot be opened");
  std::string line;
  std::getline(stream, line);
  if (line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());  // spreadsheets write it
  const std::vector<std::string> header = fields_of(line);
  if (std::ranges::all_of(header, [](const std::string& field) { return read_number(field).has_value(); }))
    throw std::runtime_error(fmt::format("the first line must name the columns, but it holds numbers: {}", line));
  if (header.size() < 2) throw std::runtime_error(other_separator(line));
  if (columns.first.empty()) columns = {header[0], header[1]};
  const std::size_t x = column_of(header, columns.first), y = column_of(header, columns.second);
  std::pair<Numbers, Numbers> result;
  for (int number = 2; std::getline(stream, line); ++number) {
    if (without_blanks_and_quotes(line).empty()) continue;
    const std::vector<std::string> fields = fields_of(line);
    try {
      if (fields.size() <= std::max(x, y)) throw std::runtime_error("too few columns");
      if (fields.size() > header.size())
        throw std::runtime_error(fmt::format("{} fields, but the header names {}", fields.size(), header.size()));
      result.first.push_back(number_of(fields[x]));
      result.second.push_back(number_of(fields[y]));
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(fmt::format("line {}: {}", number, error.what()));
    }
  }
  return result;
}

Numbers values_of(const Formula& list, const Model& model) {
  Numbers numbers;
  for (const auto& element : list.root->children)
    numbers.push_back(std::ranges::find(model.parameters, element->name, &Parameter::name)->value);
  return numbers;
}

std::optional<Numbers> read_numbers(const MapReader& map, const std::string& key, Reading& reading) {
  static constexpr KeySpec any{"", "", Holds::number};
  Numbers numbers;
  const YamlNode* node = map.find(key);
  if (node && node->is_text())
    if (const Formula* list = find_list(reading.model, node->text)) {
      reading.fix_names_in(*list);
      return values_of(*list, reading.model);
    }
  if (!node || !node->is_list()) {
    reading.diagnostics.add(node ? node->where : map.where(), map.path(key), "expected a list of numbers");
    return std::nullopt;
  }
  bool complete = true;
  for (const YamlNode& item : node->items) {
    const std::optional<double> number = read_constant(item, map.path(key), any, reading);
    complete = complete && number;
    numbers.push_back(number.value_or(0));
  }
  if (!complete) return std::nullopt;
  return numbers;
}

std::pair<std::string, std::string> column_names(const MapReader& map) {
  const YamlNode* columns = map.pair("columns");
  return columns ? std::pair{columns->items[0].text, columns->items[1].text} : std::pair<std::string, std::string>{};
}

// Nothing: what is wrong was reported.
std::optional<std::pair<Numbers, Numbers>> read_points_of_table(const MapReader& map, Reading& reading) {
  if (!map.has("file")) {
    std::optional<Numbers> x = read_numbers(map, "x", reading), y = read_numbers(map, "y", reading);
    if (!x || !y) return std::nullopt;
    return std::pair{*std::move(x), *std::move(y)};
  }
  if (map.has("x") || map.has("y"))
    reading.diagnostics.add(map.where(), map.path("file"), "cannot be combined with x and y; give one or the other");
  const std::string name = map.text("file").value_or("");
  const auto path = reading.file_beside(name, map.find("file")->where, map.path("file"));
  if (!path) return std::nullopt;
  try {
    return read_columns(path->string(), column_names(map));
  } catch (const std::runtime_error& error) {
    reading.diagnostics.add(map.find("file")->where, map.path("file"), fmt::format("{}: {}", name, error.what()));
    return std::nullopt;
  }
}

std::string fault_of(const Numbers& x, const Numbers& y) {
  if (x.size() != y.size()) return fmt::format("x has {} values, but y has {}", x.size(), y.size());
  if (x.size() < 2) return "a table needs two points at least";
  for (std::size_t i = 1; i < x.size(); ++i)
    if (!(x[i] > x[i - 1])) return fmt::format("x must increase, but {} follows {}", x[i], x[i - 1]);
  return "";
}

// To the digits of a file.
bool ends_where_it_begins(const Numbers& y) {
  const auto [low, high] = std::ranges::minmax(y);
  return std::abs(y.back() - y.front()) <= 1e-9 * (high - low);
}

void read_table(const YamlEntry& entry, Reading& reading) {
  const std::string path = dotted("tables", entry.key);
  reading.take_name(entry.key, "table", entry.where, path);
  const MapReader map(entry.value, keys_of("tables"), path, reading);
  const std::string interpolation = map.choice("interpolation").value_or("linear");
  const std::string outside = map.choice("outside").value_or("hold");
  // stands in for one that is broken, so that each mistake is reported once
  reading.model.tables[entry.key] = std::make_shared<const Table>(Table::linear({0, 1}, {0, 0}));
  const auto points = read_points_of_table(map, reading);
  if (!points) return;
  const auto& [x, y] = *points;
  if (const std::string fault = fault_of(x, y); !fault.empty()) {
    reading.diagnostics.add(entry.where, path, fault);
    return;
  }
  const bool repeat = outside == "repeat";
  if (repeat && !ends_where_it_begins(y)) {
    reading.diagnostics.add(
        entry.where, path,
        fmt::format("repeats, so it must end with its first value; it begins with {} and ends with {}", y.front(),
                    y.back()));
    return;
  }
  Table table = interpolation == "linear" ? Table::linear(x, y)
                : repeat && x.size() > 2  ? Table::periodic_spline(x, y)
                                          : Table::spline(x, y);
  table.hold = outside == "hold", table.repeat = repeat;
  reading.model.tables[entry.key] = std::make_shared<const Table>(std::move(table));
}

}  // namespace

void read_tables(const YamlNode& section, Reading& reading) {
  for (const YamlEntry& entry : expanded_entries(section, "tables", reading)) read_table(entry, reading);
}

}  // namespace armature::internal
