#include "identify/measured_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "expression/lower.hpp"
#include "expression/number_text.hpp"
#include "model/file_kind.hpp"
#include "model/request_error.hpp"
#include "model/scope.hpp"

namespace armature::internal {

namespace {

[[noreturn]] void refuse_record(const std::string& file, int line, const std::string& sentence) {
  throw RequestError(line > 0 ? fmt::format("{}:{}: {}", file, line, sentence) : fmt::format("{}: {}", file, sentence));
}

std::string without_blanks(std::string text) {
  text.erase(0, text.find_first_not_of(" \t\r\n"));
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  return text;
}

// A comma between quotes belongs to its field; doubled quotes are one (RFC 4180).
std::vector<std::string> record_fields(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      fields.back() += line[++i];
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += line[i];
  }
  for (std::string& field : fields) field = without_blanks(std::move(field));
  return fields;
}

// The factor to SI, by lowering "1 N*m"; a blank between units multiplies them.
double factor_of(const std::string& file, MeasuredColumn& column) {
  if (column.unit.empty() || column.unit == "1" || column.unit == "-") return 1;
  std::string text = column.unit;
  std::replace(text.begin(), text.end(), ' ', '*');
  try {
    Scope nothing;
    nothing.look_up = [](const std::string&) { return std::optional<Value>(); };
    const Value value = lower(parse_formula("1 " + text, {}), nothing);
    if (!value.is_scalar() || !value.parts[0].is_constant()) throw FormulaError({}, "is not a unit");
    column.dimension = value.dimension;
    return value.parts[0].value();
  } catch (const FormulaError&) {
    refuse_record(file, 1, fmt::format("column '{}': '{}' is not a unit", column.name, column.unit));
  }
}

// "theta1 [rad]"
MeasuredColumn column_of(const std::string& field) {
  const auto bracket = field.rfind('[');
  if (bracket == std::string::npos || field.back() != ']') return {field, "", {}, {}};
  return {without_blanks(field.substr(0, bracket)),
          without_blanks(field.substr(bracket + 1, field.size() - bracket - 2)),
          {},
          {}};
}

constexpr double largest_value = 1e100;  // sums of squares of residuals remain numbers

double value_of(const std::string& file, int line, const std::string& name, const std::string& field) {
  if (field.empty()) return std::numeric_limits<double>::quiet_NaN();
  const std::optional<double> value = read_number(field);
  if (!value)
    refuse_record(file, line,
                  fmt::format("column '{}': '{}' is not a number; leave the field empty where nothing was measured",
                              name, field));
  if (std::isfinite(*value) && std::abs(*value) > largest_value)
    refuse_record(file, line, fmt::format("column '{}': {} is more than anything measured", name, field));
  return std::isfinite(*value) ? *value : std::numeric_limits<double>::quiet_NaN();
}

bool is_time(const std::string& name) { return name == "t" || name == "time" || name == "Time"; }

}  // namespace

MeasuredRecord read_measured(const std::string& file) {
  if (const std::string why = why_no_file(file, "record"); !why.empty()) refuse_record(file, 0, why);
  std::ifstream stream(file);
  if (!stream) refuse_record(file, 0, "cannot be opened");
  std::string line;
  std::getline(stream, line);
  if (line.starts_with("\xef\xbb\xbf")) line.erase(0, 3);  // spreadsheets write a byte order mark
  std::vector<MeasuredColumn> columns;
  std::vector<double> factors;
  for (const std::string& field : record_fields(line)) {
    columns.push_back(column_of(field));
    factors.push_back(factor_of(file, columns.back()));
    if (std::ranges::count(columns, columns.back().name, &MeasuredColumn::name) > 1)
      refuse_record(file, 1, fmt::format("there are two columns '{}'", columns.back().name));
  }
  const auto time = std::ranges::find_if(columns, [](const MeasuredColumn& column) { return is_time(column.name); });
  if (time == columns.end())
    refuse_record(
        file, 1,
        fmt::format(
            "there is no column of times, t [s]{}",
            line.find(';') != std::string::npos ? "; separate columns by ',' and write points in numbers" : ""));
  if (time->dimension && *time->dimension != time_dimension)
    refuse_record(file, 1, fmt::format("'{}' is not a unit of time", time->unit));
  const auto time_index = static_cast<std::size_t>(time - columns.begin());

  for (int number = 2; std::getline(stream, line); ++number) {
    if (without_blanks(line).empty()) continue;
    const std::vector<std::string> fields = record_fields(line);
    if (fields.size() != columns.size())
      refuse_record(file, number, fmt::format("{} fields, but the header names {}", fields.size(), columns.size()));
    for (std::size_t k = 0; k < columns.size(); ++k)
      columns[k].values.push_back(factors[k] * value_of(file, number, columns[k].name, fields[k]));
    const std::vector<double>& t = columns[time_index].values;
    if (std::isnan(t.back())) refuse_record(file, number, "has no time");
    if (t.size() > 1 && !(t.back() > t[t.size() - 2]))
      refuse_record(file, number,
                    fmt::format("times must increase, but {:g} s follows {:g} s", t.back(), t[t.size() - 2]));
  }
  MeasuredRecord record{file, columns[time_index].values, {}};
  if (record.t.size() < 2) refuse_record(file, 0, "has fewer than two rows");
  if (record.t.front() < 0) refuse_record(file, 2, "the motion of a model begins at t = 0, but this time is before it");
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (k != time_index) record.columns.push_back(std::move(columns[k]));
  return record;
}

}  // namespace armature::internal
