#include "model/scope.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>

#include <fmt/format.h>

#include "expression/evaluation_order.hpp"
#include "expression/units.hpp"
#include "model/formula_units.hpp"
#include "model/joint_components.hpp"
#include "model/joint_kinds.hpp"
#include "model/signal_names.hpp"

namespace armature::internal {
namespace {

Value with_dimension(Value value, std::optional<Dimension> dimension) {
  value.dimension = dimension;
  return value;
}

std::optional<Expression> table_value(const Model& model, const std::string& name, Expression x) {
  const auto place = model.tables.find(name);
  if (place == model.tables.end()) return std::nullopt;
  if (x.is_constant()) return Expression(place->second->evaluate(x.value(), 0));
  return x.graph()->lookup(place->second, x);
}

// Parameters and definitions by name, and the definitions that have been lowered. The model may grow while it is read.
class Constants {
 public:
  explicit Constants(const Model& model) : model_(model) {}

  std::optional<Value> parameter(const std::string& name) {
    for (; parameters_seen_ < model_.parameters.size(); ++parameters_seen_)
      parameters_.emplace(model_.parameters[parameters_seen_].name, parameters_seen_);
    const auto found = parameters_.find(name);
    if (found == parameters_.end()) return std::nullopt;
    const Parameter& parameter = model_.parameters[found->second];
    return with_dimension(Value(Expression(parameter.value)), parameter.dimension);
  }

  // Lowers what the definition needs first. Throws FormulaError.
  std::optional<Value> definition(const std::string& name, const Scope& scope) {
    const Formula* formula = definition_of(name);
    if (!formula) return std::nullopt;
    if (const auto cycle = cycles_.find(name); cycle != cycles_.end()) throw cycle->second;
    if (!known_.contains(name))
      evaluate_in_order(name,
                        {[this](const std::string& each) { return pending(each); },
                         [&](const std::string& each) { known_.emplace(each, lower(*definition_of(each), scope)); },
                         [&](const std::vector<std::string>& chain) { refuse_cycle(chain); }});
    return known_.at(name);
  }

 private:
  const Formula* definition_of(const std::string& name) {
    for (; definitions_seen_ < model_.definitions.size(); ++definitions_seen_)
      definitions_.emplace(model_.definitions[definitions_seen_].first, definitions_seen_);
    const auto found = definitions_.find(name);
    if (found == definitions_.end()) return find_list(model_, name);
    const Formula& formula = model_.definitions[found->second].second;
    return formula.given() ? &formula : nullptr;
  }
  // A name that is also a parameter means the parameter.
  const Formula* pending(const std::string& name) {
    return known_.contains(name) || parameter(name) ? nullptr : definition_of(name);
  }

  // All of the chain are told the same, without another walk along it.
  [[noreturn]] void refuse_cycle(const std::vector<std::string>& chain) {
    const FormulaError error(definition_of(chain.back())->where,
                             fmt::format("depends on itself: {}", chain_in_words(chain)));
    for (const std::string& name : chain) cycles_.emplace(name, error);
    throw error;
  }

  const Model& model_;
  std::unordered_map<std::string, FormulaError> cycles_;
  std::unordered_map<std::string, std::size_t> parameters_, definitions_;
  std::size_t parameters_seen_ = 0, definitions_seen_ = 0;
  std::unordered_map<std::string, Value> known_;
};

std::vector<std::string> constant_names(const Model& model) {
  std::vector<std::string> names;
  for (const Parameter& parameter : model.parameters) names.push_back(parameter.name);
  for (const auto& [name, formula] : model.lists) names.push_back(name);
  for (const auto& [name, formula] : model.definitions) names.push_back(name);
  return names;
}

// What drives and controllers give to formulas.
std::vector<std::string> signal_names(const Model& model) {
  std::vector<std::string> names;
  for (const Drive& drive : model.drives)
    for (const DriveKind::Signal& signal : drive.kind->signals())
      names.push_back(drive.name + "." + std::string(signal.name));
  for (const Controller& controller : model.controllers)
    for (const std::string& signal : controller.kind->signals(controller)) names.push_back(signal);
  return names;
}

template <class List>
bool has_named(const List& list, const std::string& name) {
  return std::ranges::any_of(list, [&](const auto& item) { return item.name == name; });
}

// What is known of the solution of the equations of motion, and of states that elements have: whether there is such a row or
// state is found when the equations are built.
bool may_be_of_the_equations(const Model& model, const std::string& name) {
  if (name.starts_with("work.") || name.starts_with("heat.")) return true;
  const std::size_t first = name.starts_with("lambda.") ? 7 : 0;
  const std::string owner = name.substr(first, name.find('.', first) - first);
  const auto is_owner = [&](const auto& items) { return has_named(items, owner); };
  if (first == 0) return is_owner(model.forces) || (name.ends_with(".integral") && is_owner(model.controllers));
  return is_owner(model.joints) || is_owner(model.distances) || is_owner(model.prescribed) || is_owner(model.rolling) ||
         is_owner(model.lagrangian.constraints);
}

// A vector of three leaves.
Value moving_point(Graph& graph, const std::string& name) {
  Value value;
  for (const char* part : {".x", ".y", ".z"}) value.parts.push_back(graph.input(name + part));
  return with_dimension(value, length_dimension);
}

// How a body turns (signal_names.hpp).
std::optional<Value> turning_signal(const Model& model, Graph& graph, const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || !has_named(model.bodies, name.substr(0, dot))) return std::nullopt;
  const std::string signal = name.substr(dot + 1);
  if (std::ranges::count(body_vectors, signal) > 0)
    return with_dimension(moving_point(graph, name), signal == "w" ? std::nullopt : std::optional(dimensionless));
  const bool in_plane = signal == "angle";
  if (std::ranges::count(body_angles, signal) == 0 || in_plane == model.plane.empty()) return std::nullopt;
  return Value(graph.input(name));
}

std::optional<Value> signal_of_equations(const Model& model, Graph& graph, const std::string& name) {
  if (const auto turning = turning_signal(model, graph, name)) return turning;
  if (const auto signal = beam_signal(model, name)) return with_dimension(Value(graph.input(name)), signal->dimension);
  if (const auto reaction = reaction_name(name))
    if (has_named(model.joints, reaction->joint))
      return with_dimension(reaction->count == 3 ? moving_point(graph, name) : Value(graph.input(name)),
                            reaction->dimension);
  if (may_be_of_the_equations(model, name)) return Value(graph.input(name));
  return std::nullopt;
}

std::map<std::string, Value> moving_values(const Model& model, Graph& graph) {
  std::map<std::string, Value> values;
  values["t"] = graph.input("t");  // of no fixed dimension, so that sin(t) may be written
  for (const HostInput& input : model.inputs)
    values[input.name] = with_dimension(graph.input(input.name), input.dimension);
  for (const AuxiliaryState& state : model.states)
    values[state.name] = with_dimension(graph.input(state.name), state.dimension);
  for (const Joint& joint : model.joints) {
    for (const JointComponent& component : components_of(joint.type)) {
      const std::string name = coordinate_name(joint, component);
      values[name] = graph.input(name);  // an angle counts as a bare number
      if (component.is_length) values[name].dimension = length_dimension;
    }
    if (words_of(joint.type).has_ball())
      for (const char* part : {".wx", ".wy", ".wz"}) values[joint.name + part] = graph.input(joint.name + part);
  }
  for (const std::string& name : signal_names(model)) values[name] = graph.input(name);
  for (const std::string& on : model.actuators) values["effort." + on] = graph.input("effort." + on);  // of inverse
  for (const PrescribedConstraint& constraint : model.prescribed)
    if (constraint.kind == "prescribed") values.emplace(constraint.name, graph.input(constraint.name));
  for (const LagrangianSection::Coordinate& coordinate : model.lagrangian.coordinates) {
    values[coordinate.name] = graph.input(coordinate.name);
    if (!coordinate.is_angle) values[coordinate.name].dimension = unit_of(coordinate.unit).dimension;
  }
  for (const Body& body : model.bodies) {
    values[body.name] = moving_point(graph, body.name);
    if (body.beam)
      for (const JointComponent& component : components_of(*body.beam)) {
        const std::string name = body.name + "." + component.name;
        values[name] = graph.input(name);
        if (component.is_length) values[name].dimension = length_dimension;
      }
    for (const NamedPoint& point : body.points)
      values[body.name + "." + point.name] = moving_point(graph, body.name + "." + point.name);
  }
  return values;
}

// Whether one of the expressions moves; t and rates count.
void require_constant(const std::vector<Expression>& parts, const Formula& formula) {
  for (const Expression& part : parts)
    if (!part.is_constant()) throw FormulaError(formula.where, fmt::format("'{}' is not a constant", formula.text));
}

}  // namespace

const Formula* find_list(const Model& model, const std::string& name) {
  const auto found = std::ranges::find(model.lists, name, [](const auto& list) { return list.first; });
  return found == model.lists.end() ? nullptr : &found->second;
}

Scope model_scope(const Model& model, LookUp moving, std::function<Expression(Expression)> rate) {
  struct Parts {
    const Model& model;
    LookUp moving;
    Constants constants;
    Scope scope;
  };
  auto parts = std::make_shared<Parts>(Parts{model, std::move(moving), Constants(model), {}});
  Scope scope;
  scope.rate = std::move(rate);
  scope.function = [&model](const std::string& name, Expression x) { return table_value(model, name, x); };
  scope.names = [&model] { return constant_names(model); };
  scope.line_in_words = [&model](Location where) { return line_in_words(where, model.used_files); };
  // The inner scope of definitions must not keep itself alive.
  const std::weak_ptr<Parts> weak = parts;
  parts->scope = scope;
  parts->scope.look_up = [weak](const std::string& name) -> std::optional<Value> {
    const std::shared_ptr<Parts> parts = weak.lock();
    if (std::optional<Value> value = parts->constants.parameter(name)) return value;
    if (parts->moving)
      if (std::optional<Value> value = parts->moving(name)) return value;
    return parts->constants.definition(name, parts->scope);
  };
  scope.look_up = [parts](const std::string& name) { return parts->scope.look_up(name); };
  return scope;
}

Scope parameter_scope(const Model& model) { return model_scope(model, {}, {}); }

namespace {

Scope scope_of(const Model& model, Graph& graph, std::map<std::string, Value> moving_values) {
  auto values = std::make_shared<std::map<std::string, Value>>(std::move(moving_values));
  LookUp moving = [&model, &graph, values](const std::string& name) -> std::optional<Value> {
    if (const auto place = values->find(name); place != values->end()) return place->second;
    for (const NamedPoint& point : model.points)
      if (point.name == name && point.at.given()) return lower(point.at, parameter_scope(model));
    return signal_of_equations(model, graph, name);
  };
  auto rate = [&graph](Expression x) -> Expression {
    return x.is_constant() ? Expression(0.0) : graph.input("a rate");
  };
  Scope scope = model_scope(model, moving, rate);
  scope.names = [&model, values] {
    std::vector<std::string> names = constant_names(model);
    for (const auto& [name, value] : *values) names.push_back(name);
    for (const NamedPoint& point : model.points) names.push_back(point.name);
    return names;
  };
  return scope;
}

// Dimensions that checks leave open.
void add_dimensions(const Model& model, std::map<std::string, Value>& values) {
  const auto set = [&](const std::string& name, const Dimension& dimension) {
    if (const auto found = values.find(name); found != values.end() && !found->second.dimension)
      found->second.dimension = dimension;
  };
  const Dimension per_second = dimensionless / time_dimension;
  set("t", time_dimension);
  for (const NamedComponent& coordinate : coordinates_of(model)) {
    set(coordinate.name, dimensionless);
    set("effort." + coordinate.name, unit_of(coordinate.component.is_length ? "N" : "N*m").dimension);
  }
  for (const Joint& joint : model.joints)
    for (const char* part : {".wx", ".wy", ".wz"}) set(joint.name + part, per_second);
  for (const LagrangianSection::Coordinate& coordinate : model.lagrangian.coordinates)
    set(coordinate.name, dimensionless);
  for (const AuxiliaryState& state : model.states)
    if (!state.dimension && !state.unit.empty()) set(state.name, unit_of(state.unit).dimension);
  for (const Drive& drive : model.drives)
    for (const DriveKind::Signal& signal : drive.kind->signals())
      if (!signal.unit.empty()) set(drive.name + "." + std::string(signal.name), unit_of(signal.unit).dimension);
}

}  // namespace

Scope checking_scope(const Model& model, Graph& graph) { return scope_of(model, graph, moving_values(model, graph)); }

Scope exact_scope(const Model& model, Graph& graph) {
  std::map<std::string, Value> values = moving_values(model, graph);
  add_dimensions(model, values);
  return scope_of(model, graph, std::move(values));
}

double evaluate_constant(const Formula& formula, const Model& model) {
  const Expression x = lower_scalar(formula, parameter_scope(model));
  require_constant({x}, formula);
  return x.value();
}

std::optional<double> find_constant(const Formula& formula, const Model& model) {
  if (!formula.given()) return std::nullopt;
  try {
    return evaluate_constant(formula, model);
  } catch (const FormulaError&) {
    return std::nullopt;
  }
}

std::array<double, 3> evaluate_constant_vector(const Formula& formula, const Model& model) {
  const std::array<Expression, 3> x = lower_vector(formula, parameter_scope(model));
  require_constant({x.begin(), x.end()}, formula);
  return {x[0].value(), x[1].value(), x[2].value()};
}

}  // namespace armature::internal
