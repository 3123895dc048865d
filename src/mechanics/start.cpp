// Start conditions: residual = quantity - wanted, for coordinates and points, and for their speeds.
#include <fmt/format.h>

#include <cmath>

#include "mechanics/builder.hpp"

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

}  // namespace

void EquationsBuilder::add_condition(const StartEntry& entry, const std::string& suffix, Expression residual,
                                     const std::string& unit, std::vector<StartCondition>& conditions) {
  const std::string name = suffix.empty() ? entry.name : entry.name + "." + suffix;
  if (!residual.is_constant())
    conditions.push_back({name, entry.where, residual, unit});
  else if (std::abs(residual.value()) > 1e-9)
    throw FormulaError(entry.where, "'" + name + "' cannot take this value at any pose");
}

// A state of its own (a current, a temperature) is set, not sought.
bool EquationsBuilder::start_state(const StartEntry& entry) {
  for (std::size_t i = 0; i < eq_.others.size(); ++i) {
    if (eq_.others[i].name != entry.name) continue;
    const Expression value = scalar(entry.value);
    if (!value.is_constant()) throw FormulaError(entry.where, "'" + entry.name + "' must start at a constant");
    eq_.z_initial.emplace_back(static_cast<int>(i), value.value());
    return true;
  }
  return false;
}

void EquationsBuilder::start_entry(const StartEntry& entry, bool velocity, std::vector<StartCondition>& conditions) {
  if (!entry.value.given()) return add_body_condition(entry, velocity, conditions);
  if (const NamedCoordinate* x = find_coordinate(entry.name)) {
    const Expression wanted = scalar(entry.value), residual = (velocity ? x->rate : x->value) - wanted;
    if (!velocity && x->unit == "rad" && wanted.is_constant())
      if (const std::string note = note_on_turns(entry, wanted.value()); !note.empty())
        eq_.notes.push_back(fmt::format("start.{}.{}", &conditions == &eq_.keep ? "keep" : "near", note));
    return add_condition(entry, "", residual, velocity ? x->unit + "/s" : x->unit, conditions);
  }
  if (!velocity && start_state(entry)) return;
  if (std::find(eq_.currents.begin(), eq_.currents.end(), entry.name) != eq_.currents.end())
    throw FormulaError(entry.where,
                       "'" + entry.name + "' has no initial value without inductance: it follows the voltage at once");
  const auto known = look_up(entry.name);
  if (!known) throw FormulaError(entry.where, "'" + entry.name + "' is neither a coordinate, a point nor a body");
  const Value wanted = value(entry.value);
  if (wanted.parts.size() != known->parts.size())
    throw FormulaError(entry.where, "'" + entry.name + (known->is_scalar() ? "' is one number" : "' is a vector"));
  for (std::size_t i = 0; i < known->parts.size(); ++i) {
    const Expression x = velocity ? along_flow(known->parts[i]) : known->parts[i];
    const std::string unit = known->is_scalar() ? "" : velocity ? "m/s" : "m";
    add_condition(entry, known->is_scalar() ? "" : std::string(1, "xyz"[i]), x - wanted.parts[i], unit, conditions);
  }
}

void EquationsBuilder::add_body_condition(const StartEntry& entry, bool, std::vector<StartCondition>&) {
  throw FormulaError(entry.where, "'" + entry.name + "' is not a body");
}

void EquationsBuilder::add_start() {
  auto add_all = [&](const std::vector<StartEntry>& entries, bool velocity, std::vector<StartCondition>& conditions) {
    for (const StartEntry& entry : entries)
      guarded("start." + entry.name, [&] { start_entry(entry, velocity, conditions); });
  };
  add_all(model_.start.keep, false, eq_.keep);
  add_all(model_.start.near, false, eq_.near);
  add_all(model_.start.speed_keep, true, eq_.speed_keep);
  add_all(model_.start.speed_near, true, eq_.speed_near);
}

}  // namespace armature::internal
