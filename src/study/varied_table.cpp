#include "study/varied_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "model/diagnostics.hpp"

namespace armature::internal {

namespace {

constexpr std::size_t looked_up = 40;  // knots: so many are never a chain of comparisons (expression/interpolate.cpp)
constexpr double far_beyond = 1e9;     // lengths of the table beyond its ends, where it holds its values

bool joins_by_lines(const Table& table) {
  return std::ranges::all_of(table.coefficients, [](const auto& c) { return c[2] == 0 && c[3] == 0; });
}

}  // namespace

VariedTable::VariedTable(const std::string& name, const Table& table)
    : name_(name), knots_(table.knots), variables_(table.knots.size()), table_(std::make_shared<Table>()) {
  if (!joins_by_lines(table))
    throw FormulaError({},
                       fmt::format("points of the table '{}' cannot be varied: it is a spline; make it linear", name));
  if (table.repeat || !table.hold)
    throw FormulaError(
        {}, fmt::format(
                "points of the table '{}' cannot be varied: beyond its ends it must hold its values (outside: hold)",
                name));
  for (const double knot : knots_) values_.push_back(table.evaluate(knot, 0));
  // one piece before the table and some behind it, on which it holds its end values
  const double length = far_beyond * (knots_.back() - knots_.front());
  table_->hold = false;
  table_->knots = {knots_.front() - length};
  table_->knots.insert(table_->knots.end(), knots_.begin(), knots_.end());
  do table_->knots.push_back(table_->knots.back() + length);
  while (table_->knots.size() < looked_up);
  fill(values_, *table_);
}

void VariedTable::fill(const std::vector<double>& values, Table& table) const {
  table.coefficients.resize(table.knots.size() - 1);
  for (std::size_t k = 0; k < table.coefficients.size(); ++k) {
    const std::size_t point = k == 0 ? 0 : std::min(k - 1, size() - 1);
    const bool inside = k > 0 && k < size();
    table.coefficients[k] = {
        values[point], inside ? (values[point + 1] - values[point]) / (knots_[point + 1] - knots_[point]) : 0, 0, 0};
  }
}

std::vector<double> VariedTable::values_at(std::span<const double> variables) const {
  std::vector<double> values = values_;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (variables_[k]) values[k] = variables[*variables_[k]];
  return values;
}

void VariedTable::move_to(std::span<const double> variables) const { fill(values_at(variables), *table_); }

std::shared_ptr<const Table> VariedTable::table_at(std::span<const double> variables) const {
  auto other = std::make_shared<Table>(*table_);
  fill(values_at(variables), *other);
  return other;
}

std::optional<TablePoint> table_point(const Model& model, const std::string& name) {
  const std::size_t open = name.find('[');
  if (open == std::string::npos || !name.ends_with(']')) return std::nullopt;
  const auto table = model.tables.find(name.substr(0, open));
  if (table == model.tables.end()) return std::nullopt;
  std::size_t number = 0;
  const char* last = name.data() + name.size() - 1;
  const auto [end, error] = std::from_chars(name.data() + open + 1, last, number);
  const std::size_t count = table->second->knots.size();
  if (error != std::errc() || end != last || number < 1 || number > count)
    throw FormulaError({}, fmt::format("'{}': the points of the table '{}' are {}[1] to {}[{}]", name, table->first,
                                       table->first, table->first, count));
  return TablePoint{table->first, number - 1};
}

std::vector<std::string> element_names(const Model& model, const std::string& name) {
  std::vector<std::string> names;
  const auto add = [&](std::size_t count) {
    for (std::size_t k = 1; k <= count; ++k) names.push_back(fmt::format("{}[{}]", name, k));
  };
  if (const auto table = model.tables.find(name); table != model.tables.end()) add(table->second->knots.size());
  for (const Parameter& parameter : model.parameters)
    if (parameter.name.starts_with(name + "[")) names.push_back(parameter.name);
  if (names.empty()) names.push_back(name);
  return names;
}

}  // namespace armature::internal
