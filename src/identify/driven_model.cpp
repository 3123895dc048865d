#include "identify/driven_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "expression/graph.hpp"
#include "model/findings.hpp"
#include "model/request_error.hpp"

namespace armature::internal {

namespace {

constexpr std::string_view measured = "input_record.";  // tables of inputs; no name in a file has a dot

// What the record leaves open between two times; empty: nothing.
std::string gap_of(const std::vector<double>& times, double start, double end) {
  const double slack = 1e-9 * (end - start);  // of a record whose times were rounded
  const bool late = times.front() > start + slack, early = times.back() < end - slack;
  if (late && early)
    return fmt::format(
        "has values from {:.6g} s to {:.6g} s only; its first value is held before, its last value after that",
        times.front(), times.back());
  if (late) return fmt::format("has no values before {:.6g} s; its first value is held until then", times.front());
  if (early) return fmt::format("has no values after {:.6g} s; its last value is held from then on", times.back());
  return "";
}

}  // namespace

// The inputs become definitions: tables of time.
Model driven_by(const Model& model, const MeasuredRecord& record, std::vector<std::string>& inputs) {
  Model result = model;
  for (const MeasuredColumn& column : record.columns) {
    const auto input = std::ranges::find(result.inputs, column.name, &HostInput::name);
    if (input == result.inputs.end()) continue;
    if (column.dimension && input->dimension && *column.dimension != *input->dimension)
      throw RequestError(
          fmt::format("{}:1: column '{}': '{}' is not a unit of the input", record.file, column.name, column.unit));
    std::vector<double> t, u;
    for (std::size_t k = 0; k < record.t.size(); ++k)
      if (!std::isnan(column.values[k])) t.push_back(record.t[k]), u.push_back(column.values[k]);
    if (t.size() < 2)
      throw RequestError(fmt::format("{}: the input '{}' has fewer than two values", record.file, column.name));
    const std::string table = std::string(measured) + column.name;
    Table values = Table::linear(t, u);
    values.hold = true;
    result.tables[table] = std::make_shared<const Table>(std::move(values));
    result.definitions.insert(result.definitions.begin(), {column.name, parse_formula(table + "(t)", {})});
    result.inputs.erase(input);
    inputs.push_back(column.name);
  }
  return result;
}

Model driven_by_inputs(const Model& model, const MeasuredRecord& record) {
  std::vector<std::string> names, driven;
  for (const HostInput& input : model.inputs) names.push_back(input.name);
  if (names.empty()) throw RequestError(fmt::format("{}: the model has no inputs (section 'inputs')", record.file));
  for (const MeasuredColumn& column : record.columns)
    if (std::ranges::count(names, column.name) == 0) require_known(column.name, names, "input");
  return driven_by(model, record, driven);
}

Findings held_inputs(const Model& driven, double start, double end) {
  Findings findings;
  for (const auto& [name, table] : driven.tables)
    if (name.starts_with(measured))
      if (const std::string gap = gap_of(table->knots, start, end); !gap.empty())
        findings.push_back(finding<FindingCode::held_input>("input"_a = name.substr(measured.size()), "gap"_a = gap));
  return findings;
}

}  // namespace armature::internal
