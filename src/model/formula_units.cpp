#include "model/formula_units.hpp"

#include <algorithm>

#include "expression/evaluation_order.hpp"
#include "expression/units.hpp"
#include "model/joint_components.hpp"
#include "model/joint_kinds.hpp"
#include "model/signal_names.hpp"

namespace armature::internal {

namespace {

const InferredUnit of_an_angle{dimensionless, true}, of_an_angular_velocity{dimensionless / time_dimension, true};

}  // namespace

FormulaUnits::FormulaUnits(const Model& model) : model_(model), exact_(exact_scope(model, graph_)) {
  for (const auto* list : {&model.definitions, &model.lists})
    for (const auto& [name, formula] : *list)
      if (formula.given()) formulas_.emplace(name, &formula);
  for (const Controller& controller : model.controllers)
    if (const Formula& is = controller.values["is"]; is.given()) formulas_.emplace(controller.name, &is);
  for (const Parameter& parameter : model.parameters)
    if (!parameter.dimension && parameter.formula.given()) formulas_.emplace(parameter.name, &parameter.formula);
  add_angles();
  add_signals();
}

void FormulaUnits::add_angles() {
  for (const NamedComponent& coordinate : coordinates_of(model_))
    if (!coordinate.component.is_length && !coordinate.component.is_part_of_ball)
      known_.emplace(coordinate.name, of_an_angle);
  for (const LagrangianSection::Coordinate& coordinate : model_.lagrangian.coordinates)
    if (coordinate.is_angle) known_.emplace(coordinate.name, of_an_angle);
  for (const Joint& joint : model_.joints)
    if (words_of(joint.type).has_ball())
      for (const char* part : {".wx", ".wy", ".wz"}) known_.emplace(joint.name + part, of_an_angular_velocity);
  for (const Body& body : model_.bodies) {
    known_.emplace(body.name + ".w", of_an_angular_velocity);
    for (const std::string_view each : body_angles) known_.emplace(body.name + "." + std::string(each), of_an_angle);
  }
  for (const std::string& name : beam_signal_names(model_))
    known_.emplace(name, unit_of_text(beam_signal(model_, name)->unit));
}

void FormulaUnits::add_signals() {
  for (const HostInput& input : model_.inputs)
    if (input.unit.starts_with("rad")) known_.emplace(input.name, unit_of_text(input.unit));
  for (const AuxiliaryState& state : model_.states)
    if (state.unit.starts_with("rad")) known_.emplace(state.name, unit_of_text(state.unit));
  // efforts are torques on angles, forces on lengths
  const InferredUnit torque = unit_of_text("N m"), force = unit_of_text("N");
  for (const Drive& drive : model_.drives) {
    const auto coordinate = find_coordinate(model_, drive.on);
    for (const DriveKind::Signal& signal : drive.kind->signals())
      known_.emplace(drive.name + "." + std::string(signal.name), !signal.unit.empty()
                                                                      ? unit_of_text(std::string(signal.unit))
                                                                  : !coordinate           ? InferredUnit{}
                                                                  : coordinate->is_length ? force
                                                                                          : torque);
    // a controller that a motor follows has the unit of what it commands
    const Formula& command = drive.command.is;
    if (!command.given() || command.root->kind != Syntax::Kind::name) continue;
    if (std::ranges::count(model_.controllers, command.root->name, &Controller::name) == 0) continue;
    const InferredUnit effort = !coordinate ? InferredUnit{} : coordinate->is_length ? force : torque;
    known_.emplace(command.root->name, drive.commands("voltage")   ? unit_of_text("V")
                                       : drive.commands("current") ? unit_of_text("A")
                                                                   : effort);
  }
  for (const PrescribedConstraint& constraint : model_.prescribed) {
    if (!constraint.zero.given()) continue;
    const InferredUnit along = force_along(inferred(constraint.zero));
    if (constraint.kind == "prescribed") known_.emplace(constraint.name, along);
    known_.emplace("lambda." + constraint.name, along);
  }
}

void FormulaUnits::know(const std::string& name, const std::string& unit) {
  if (!formulas_.contains(name)) known_.emplace(name, unit_of_text(unit));
}

InferredUnit FormulaUnits::name(const std::string& name) const {
  if (formulas_.contains(name)) {
    if (!known_.contains(name)) settle(name);
    return known_[name];
  }
  if (const auto found = known_.find(name); found != known_.end()) return found->second;
  try {
    if (const auto value = exact_.look_up(name)) return {value->dimension};
  } catch (const FormulaError&) {
    return {};
  }
  const std::size_t dot = name.rfind('.');
  const std::string last = dot == std::string::npos ? "" : name.substr(dot + 1);
  return last == "x" || last == "y" || last == "z" ? this->name(name.substr(0, dot)) : InferredUnit{};
}

// What a definition needs comes first; one that depends on itself has no unit.
void FormulaUnits::settle(const std::string& definition) const {
  const auto pending = [this](const std::string& each) -> const Formula* {
    const auto found = formulas_.find(each);
    return found == formulas_.end() || known_.contains(each) ? nullptr : found->second;
  };
  const auto evaluate = [this](const std::string& each) {
    known_.emplace(each,
                   inferred_unit(*formulas_.at(each)->root, [this](const std::string& other) { return name(other); }));
  };
  evaluate_in_order(definition, {pending, evaluate, [this](const std::vector<std::string>& chain) {
                                   known_.emplace(chain.back(), InferredUnit{});
                                 }});
}

InferredUnit FormulaUnits::inferred(const Formula& formula) const {
  return inferred_unit(*formula.root, [this](const std::string& each) { return name(each); });
}

std::optional<Dimension> FormulaUnits::dimension_of(const Formula& formula) const {
  return inferred(formula).dimension;
}

std::string FormulaUnits::unit_of(const Formula& formula) const { return inferred(formula).text(); }

}  // namespace armature::internal
