// What may be varied: parameters, and start values of coordinates, which become parameters of the start.
#include <fmt/format.h>

#include <algorithm>

#include "model/diagnostics.hpp"
#include "model/formula_tree.hpp"
#include "model/inputs.hpp"
#include "model/joint_components.hpp"
#include "study/study.hpp"

namespace armature::internal {

namespace {

bool has_parameter(const Model& model, const std::string& name) {
  return std::ranges::count(model.parameters, name, &Parameter::name) > 0;
}

bool is_state(const Model& model, const std::string& name) {
  return std::ranges::count(model.states, name, &AuxiliaryState::name) > 0;
}

// "theta.v" and "theta'" are the speed of theta.
std::optional<std::string> speed_of(const Model& model, const std::string& name) {
  for (const std::string suffix : {".v", "'"})
    if (name.ends_with(suffix))
      if (const std::string of = name.substr(0, name.size() - suffix.size()); find_coordinate(model, of)) return of;
  return std::nullopt;
}

// The start of `coordinate` is whatever the parameter says, and holds exactly.
void keep_at(const std::string& coordinate, const std::string& parameter, std::vector<StartEntry>& keep,
             std::vector<StartEntry>& near) {
  for (auto* entries : {&keep, &near})
    std::erase_if(*entries, [&](const StartEntry& entry) { return entry.name == coordinate; });
  StartEntry entry;
  entry.name = coordinate;
  entry.value = name_formula(parameter, {});
  keep.push_back(entry);
}

std::string add_start_parameter(Model& model, const std::string& coordinate, bool speed) {
  const std::string name = "start." + coordinate + (speed ? ".v" : "");
  model.parameters.push_back({name, number_formula(0), 0, {}});
  Start& start = model.start;
  speed ? keep_at(coordinate, name, start.speed_keep, start.speed_near)
        : keep_at(coordinate, name, start.keep, start.near);
  return name;
}

// A point of a table: the table is one that may change.
void vary_point(const Model& model, const TablePoint& point, Varied& varied) {
  auto table = std::ranges::find(varied.tables, point.table, &VariedTable::name);
  if (table == varied.tables.end()) {
    varied.tables.emplace_back(point.table, *model.tables.at(point.table));
    table = varied.tables.end() - 1;
    varied.model.tables[point.table] = table->table();
  }
  table->vary(point.point, varied.parameters.size());
}

[[noreturn]] void refuse(const Model& model, const std::string& name) {
  std::vector<std::string> names;
  for (const Parameter& parameter : model.parameters) names.push_back(parameter.name);
  for (const std::string& coordinate : coordinate_names(model)) {
    names.push_back(coordinate);
    names.push_back(coordinate + ".v");
  }
  for (const AuxiliaryState& state : model.states) names.push_back(state.name);
  const std::string near = did_you_mean(name, names);
  throw FormulaError(
      {}, model.states.empty()
              ? fmt::format("'{}' is not a parameter, an input, a coordinate or its rate{}", name, near)
              : fmt::format("'{}' is not a parameter, an input, a state, a coordinate or its rate{}", name, near));
}

// What the file records under a name is known to formulas over the motion, as what it defines.
void define_quantities(Model& model) {
  const auto& quantities = model.record.quantities;
  model.definitions.insert(model.definitions.end(), quantities.begin(), quantities.end());
  model.record.quantities.clear();
}

}  // namespace

std::string free_start(Model& model, const std::string& name) {
  if (find_coordinate(model, name)) return add_start_parameter(model, name, false);
  if (const auto coordinate = speed_of(model, name)) return add_start_parameter(model, *coordinate, true);
  if (is_state(model, name)) return add_start_parameter(model, name, false);
  const std::vector<std::string> names = coordinate_names(model);
  throw FormulaError({}, fmt::format("there is no coordinate '{}'{}", name, near_or_all(name, names)));
}

Varied vary(const Model& model, const std::vector<std::string>& names, bool points) {
  Varied varied{with_inputs_as_parameters(model), {}, {}};
  define_quantities(varied.model);
  std::vector<std::string> sorted = names;
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
    throw FormulaError({}, fmt::format("'{}' is varied twice", *twice));
  for (const std::string& name : names) {
    if (has_parameter(varied.model, name))
      varied.parameters.push_back(name);
    else if (find_coordinate(model, name) || is_state(model, name))
      varied.parameters.push_back(add_start_parameter(varied.model, name, false));
    else if (const auto coordinate = speed_of(model, name))
      varied.parameters.push_back(add_start_parameter(varied.model, *coordinate, true));
    else if (const auto point = table_point(model, name)) {
      if (!points) throw FormulaError({}, fmt::format("'{}' is a point of a table: only optimize varies these", name));
      vary_point(model, *point, varied);
      varied.parameters.push_back(name);
    } else
      refuse(varied.model, name);
  }
  return varied;
}

}  // namespace armature::internal
