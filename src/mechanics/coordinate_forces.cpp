#include "mechanics/coordinate_forces.hpp"

namespace armature::internal {

void add_spring(EquationsBuilder& builder, Expression stretch, Expression rate, Expression stiffness,
                Expression damping) {
  Equations& equations = builder.equations();
  builder.apply(-(stiffness * stretch) - damping * rate, rate);
  equations.potential += 0.5 * (stiffness * stretch * stretch);
  equations.elastic += 0.5 * (stiffness * stretch * stretch);
  equations.dissipation += damping * rate * rate;
}

void add_coordinate_spring(EquationsBuilder& builder, const NamedCoordinate& coordinate, Expression stiffness,
                           Expression damping, Expression rest) {
  add_spring(builder, coordinate.value - rest, coordinate.rate, stiffness, damping);
}

// A number, not an input of the programs: events go by it.
double breakaway_of(EquationsBuilder& builder, const Formula& breakaway) {
  if (!breakaway.given()) return 1;
  const Expression value = builder.scalar(breakaway);
  if (!value.is_constant())
    throw FormulaError(breakaway.where,
                       "breakaway cannot be varied inside the compiled model; run the model once per value instead");
  if (!(value.value() >= 1)) throw FormulaError(breakaway.where, "breakaway is 1 or more");
  return value.value();
}

ComparisonWords friction_words(const std::string& subject) {
  return {.rises = "friction changes sign, now sliding in the + direction",
          .falls = "friction changes sign, now sliding in the - direction",
          .holds = "sticks",
          .leaves_above = "slips, now sliding in the + direction",
          .leaves_below = "slips, now sliding in the - direction",
          .subject = subject};
}

void add_friction(EquationsBuilder& builder, const NamedCoordinate& coordinate, Expression friction, double breakaway,
                  const std::string& owner) {
  builder.require_not_negative(friction, {}, "friction must not be negative");
  Graph& graph = builder.graph();
  const std::string label = "friction of " + coordinate.name;
  graph.set_comparison_label(label);
  const Expression direction = sign(coordinate.rate), outcome = unit_step(coordinate.rate);
  said(outcome, label, friction_words(owner));
  if (!outcome.is_constant() && outcome.node().op == Op::outcome) graph.set_breakaway(outcome.node().a, breakaway);
  builder.apply(-(friction * direction), coordinate.rate);
  builder.equations().friction += friction * direction * coordinate.rate;
}

void add_friction(EquationsBuilder& builder, const DryFriction& friction) {
  if (!(friction.breakaway >= 1)) throw FormulaError({}, "breakaway is 1 or more");
  Graph& graph = builder.graph();
  graph.set_comparison_label(friction.label);
  const Expression outcome = said(unit_step(friction.rate), friction.label, friction_words(friction.subject));
  if (!outcome.is_constant() && outcome.node().op == Op::outcome)
    graph.set_breakaway(outcome.node().a, friction.breakaway);
  const Expression effort = select(outcome, friction.forwards, -friction.backwards);
  builder.apply(-effort, friction.rate);
  builder.equations().friction += effort * friction.rate;
}

Expression add_push(EquationsBuilder& builder, Expression x, Expression rate, Expression stiffness, Expression damping,
                    const PushWords& words) {
  const Expression pressed = unit_step(x), both = stiffness * x + damping * rate;
  const Expression push = select(pressed, max(both, 0.0), 0.0);
  const std::string& label = words.label.empty() ? words.subject : words.label;
  said(unit_step(both), label, {.rises = words.pushes, .falls = words.ceases, .subject = words.subject});
  said(pressed, label, {.rises = words.touches, .falls = words.leaves, .subject = words.subject});
  builder.apply(-push, rate);
  Equations& equations = builder.equations();
  const Expression energy = select(pressed, 0.5 * (stiffness * x * x), 0.0);
  equations.potential += energy;
  equations.elastic += energy;
  equations.dissipation += push * rate - select(pressed, stiffness * x * rate, 0.0);
  return push;
}

void add_stop(EquationsBuilder& builder, const NamedCoordinate& coordinate, double side, Expression limit,
              Expression stiffness, Expression damping) {
  const std::string stop = side > 0 ? "upper end stop" : "lower end stop";
  const Expression x = side * (coordinate.value - limit);
  add_push(builder, x, side * coordinate.rate, stiffness, damping,
           {"joint " + coordinate.name, "reaches its " + stop, "leaves its " + stop,
            "presses on its " + stop + " again", "ceases to press on its " + stop, stop + " of " + coordinate.name});
  builder.graph().set_touch(unit_step(x));
}

void add_force_elements(EquationsBuilder& builder) {
  for (const ForceElement& element : builder.model().forces)
    builder.guarded("forces." + element.name, [&] { element.kind->add(builder, element); });
}

}  // namespace armature::internal
