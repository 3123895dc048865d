// Elements that act on coordinates, whatever these belong to. Each states its force, its energy and the power it loses.
#include "mechanics/builder.hpp"

namespace armature::internal {

void EquationsBuilder::add_coordinate_spring(const NamedCoordinate& coordinate, Expression stiffness,
                                             Expression damping, Expression rest) {
  const Expression stretch = coordinate.value - rest;
  apply(-(stiffness * stretch) - damping * coordinate.rate, coordinate.rate);
  eq_.potential += 0.5 * (stiffness * stretch * stretch);
  eq_.elastic += 0.5 * (stiffness * stretch * stretch);
  eq_.dissipation += damping * coordinate.rate * coordinate.rate;
}

// Coulomb: -F sign(rate). At rest the mode of the sign slides, which is stiction.
void EquationsBuilder::add_friction(const NamedCoordinate& coordinate, Expression friction, double breakaway) {
  if (friction.is_constant() && friction.value() < 0) throw FormulaError({}, "friction must not be negative");
  graph_.set_mode_label("friction of " + coordinate.name);
  const Expression direction = sign(coordinate.rate), mode = unit_step(coordinate.rate);
  if (!mode.is_constant() && mode.node().op == Op::mode) graph_.set_breakaway(mode.node().a, breakaway);
  apply(-(friction * direction), coordinate.rate);
  eq_.friction += friction * direction * coordinate.rate;
}

// An end stop pushes back with k x + c x' while it is pressed (x > 0) and never pulls.
void EquationsBuilder::add_stop(const NamedCoordinate& coordinate, double side, Expression limit, Expression stiffness,
                                Expression damping) {
  graph_.set_mode_label("end stop of " + coordinate.name);
  const Expression x = side * (coordinate.value - limit), rate = side * coordinate.rate;
  const Expression pressed = unit_step(x);
  const Expression push = select(pressed, max(stiffness * x + damping * rate, 0.0), 0.0);
  apply(-push, rate);
  eq_.potential += select(pressed, 0.5 * (stiffness * x * x), 0.0);
  eq_.elastic += select(pressed, 0.5 * (stiffness * x * x), 0.0);
  eq_.dissipation += push * rate - select(pressed, stiffness * x * rate, 0.0);
}

void EquationsBuilder::add_force_elements() {
  for (const ForceElement& element : model_.forces)
    guarded("forces." + element.name, [&] { element.kind->add(*this, element); });
}

namespace {

// Of a vector by its axes, of a longer list by number.
std::string part_name(std::size_t i, std::size_t count) {
  return count <= 3 ? std::string(1, static_cast<char>('x' + i)) : std::to_string(i + 1);
}

}  // namespace

void EquationsBuilder::add_prescribed() {
  for (const PrescribedConstraint& constraint : model_.prescribed) {
    // one of the command line has no place in the file
    const std::string key = constraint.where.line > 0 ? "constraints." + constraint.name : constraint.name;
    guarded(key, [&] {
      const Value zero = value(constraint.zero);
      for (std::size_t i = 0; i < zero.parts.size(); ++i) {
        const std::size_t before = eq_.rows.size();
        const std::string part = part_name(i, zero.parts.size());
        add_row(constraint.name, zero.is_scalar() ? "" : part, zero.is_scalar() ? "its value" : part, "",
                constraint.where, zero.parts[i]);
        if (eq_.rows.size() > before) eq_.rows.back().effort = constraint.kind == "prescribed";
      }
    });
  }
}

}  // namespace armature::internal
