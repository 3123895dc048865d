#include "mechanics/start_conditions.hpp"

#include "mechanics/auxiliary_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mechanics/body_start.hpp"

namespace armature::internal {

namespace {

// A number without a unit.
bool is_bare_number(const Syntax& formula) {
  if (formula.kind == Syntax::Kind::negate) return is_bare_number(*formula.children[0]);
  return formula.kind == Syntax::Kind::number && !formula.dimension;
}

// Many turns, given as a bare number: degrees may have been meant.
std::string note_on_turns(const StartEntry& entry, double value) {
  constexpr double turn = 6.283185307179586, many = 2;
  if (std::abs(value) < many * turn || !is_bare_number(*entry.value.root)) return "";
  return fmt::format("{}: {:g} rad is {:.1f} turns; did you mean {:g} deg?", entry.name, value, std::abs(value) / turn,
                     value);
}

// A state of its own (a current, a temperature) is set, not sought. False: the entry names none.
bool start_state(EquationsBuilder& builder, const StartEntry& entry) {
  Equations& equations = builder.equations();
  for (std::size_t i = 0; i < equations.others.size(); ++i) {
    if (equations.others[i].name != entry.name) continue;
    const Expression value = builder.scalar(entry.value);
    if (!is_of_parameters(value, equations))
      throw FormulaError(entry.where, "'" + entry.name + "' must start at a constant");
    equations.z_initial.emplace_back(static_cast<int>(i), value);
    return true;
  }
  return false;
}

void start_coordinate(EquationsBuilder& builder, const StartEntry& entry, const NamedCoordinate& x, bool velocity,
                      std::vector<StartCondition>& conditions) {
  Equations& equations = builder.equations();
  const Expression wanted = builder.scalar(entry.value), is = velocity ? x.rate : x.value;
  if (!velocity && x.unit == "rad" && wanted.is_constant())
    if (const std::string note = note_on_turns(entry, wanted.value()); !note.empty())
      equations.notes.push_back(fmt::format("start.{}.{}", &conditions == &equations.keep ? "keep" : "near", note));
  add_condition(builder, entry, "", {is - wanted, largest_constant({is, wanted})}, velocity ? x.unit + "/s" : x.unit,
                conditions);
}

// A point, a definition or another name of formulas.
void start_named(EquationsBuilder& builder, const StartEntry& entry, bool velocity,
                 std::vector<StartCondition>& conditions) {
  const auto known = builder.look_up(entry.name);
  if (!known) throw FormulaError(entry.where, "'" + entry.name + "' is neither a coordinate, a point nor a body");
  const Value wanted = builder.value(entry.value);
  if (wanted.parts.size() != known->parts.size())
    throw FormulaError(entry.where, "'" + entry.name + (known->is_scalar() ? "' is one number" : "' is a vector"));
  std::vector<Expression> is = known->parts;
  for (Expression& x : is)
    if (velocity) x = builder.time_derivative(x);
  const double size = std::max(largest_constant(is), largest_constant(wanted.parts));
  for (std::size_t i = 0; i < known->parts.size(); ++i) {
    const std::string unit = known->is_scalar() ? "" : velocity ? "m/s" : "m";
    add_condition(builder, entry, known->is_scalar() ? "" : std::string(1, "xyz"[i]), {is[i] - wanted.parts[i], size},
                  unit, conditions);
  }
}

void start_entry(EquationsBuilder& builder, const StartEntry& entry, bool velocity,
                 std::vector<StartCondition>& conditions) {
  if (!entry.value.given()) return add_body_condition(builder, entry, conditions);
  if (const NamedCoordinate* x = builder.coordinates().find(entry.name))
    return start_coordinate(builder, entry, *x, velocity, conditions);
  if (!velocity && start_state(builder, entry)) return;
  if (std::ranges::count(builder.equations().currents, entry.name) > 0)
    throw FormulaError(entry.where,
                       "'" + entry.name + "' has no initial value without inductance: it follows the voltage at once");
  start_named(builder, entry, velocity, conditions);
}

// Of the largest speed that the start gives; or so slow that nothing moves by it in the whole run (m or rad).
bool is_round_off_of_speeds(EquationsBuilder& builder, double miss) {
  constexpr double round_off = 1e-12;
  const Start& start = builder.model().start;
  double largest = 0;
  for (const auto* entries : {&start.speed_keep, &start.speed_near})
    for (const StartEntry& entry : *entries)
      for (const Formula* given : {&entry.value, &entry.velocity, &entry.spin})
        if (given->given()) largest = std::max(largest, largest_constant(builder.value(*given).parts));
  return miss <= round_off * largest || miss * builder.model().simulate.end <= round_off;
}

// As the file says it: of a body its place, orientation, velocity or spin, of anything else its name.
std::string cannot_be_met(const StartEntry& entry, const std::string& suffix, double miss, const std::string& unit,
                          bool is_speed) {
  const bool of_body = !entry.value.given(), turns = suffix.starts_with("r");
  const std::string what =
      of_body ? fmt::format("this {} of body '{}'",
                            is_speed ? (turns ? "spin" : "velocity") : (turns ? "orientation" : "place"), entry.name)
              : fmt::format("this {} of '{}'", is_speed ? "speed" : "value", entry.name);
  const std::string component = suffix.empty() || suffix == "r" ? "it" : fmt::format("its {} component", suffix.back());
  return fmt::format("the joints do not allow {}: {} stays {:.3g}{}{} away, {}", what, component, miss,
                     unit.empty() ? "" : " ", unit,
                     is_speed ? "whatever the speeds of the joints" : "whatever the pose");
}

}  // namespace

void add_condition(EquationsBuilder& builder, const StartEntry& entry, const std::string& suffix,
                   const StartResidual& residual, const std::string& unit, std::vector<StartCondition>& conditions) {
  constexpr double round_off = 1e-9;  // of the constants
  const std::string name = suffix.empty() ? entry.name : entry.name + "." + suffix;
  if (!residual.value.is_constant()) {
    conditions.push_back({name, entry.where, residual.value, unit});
    return;
  }
  const double miss = std::abs(residual.value.value());
  const bool is_speed =
      &conditions == &builder.equations().speed_keep || &conditions == &builder.equations().speed_near;
  if (miss <= round_off * residual.size || (is_speed && is_round_off_of_speeds(builder, miss))) return;
  throw FormulaError(entry.where, cannot_be_met(entry, suffix, miss, unit, is_speed));
}

void add_start(EquationsBuilder& builder) {
  const Start& start = builder.model().start;
  Equations& equations = builder.equations();
  const auto add_all = [&](const std::vector<StartEntry>& entries, bool velocity,
                           std::vector<StartCondition>& conditions) {
    for (const StartEntry& entry : entries)
      builder.guarded("start." + entry.name, [&] { start_entry(builder, entry, velocity, conditions); });
  };
  add_all(start.keep, false, equations.keep);
  add_all(start.near, false, equations.near);
  add_all(start.speed_keep, true, equations.speed_keep);
  add_all(start.speed_near, true, equations.speed_near);
}

}  // namespace armature::internal
