// Start conditions: residual = quantity - wanted, for coordinates and points, and for their speeds.
#include <cmath>

#include "mechanics/builder.hpp"

namespace armature {

void EquationsBuilder::add_condition(const StartEntry& entry, const std::string& suffix, Expression residual,
                                     const std::string& unit, std::vector<StartCondition>& conditions) {
  const std::string name = suffix.empty() ? entry.name : entry.name + "." + suffix;
  if (!residual.is_constant())
    conditions.push_back({name, entry.where, residual, unit});
  else if (std::abs(residual.value()) > 1e-9)
    throw FormulaError(entry.where, "'" + name + "' cannot take this value whatever the pose");
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
    const Expression residual = (velocity ? x->rate : x->value) - scalar(entry.value);
    return add_condition(entry, "", residual, velocity ? x->unit + "/s" : x->unit, conditions);
  }
  if (!velocity && start_state(entry)) return;
  if (std::find(eq_.currents.begin(), eq_.currents.end(), entry.name) != eq_.currents.end())
    throw FormulaError(entry.where,
                       "'" + entry.name + "' follows from the voltage at once where there is no inductance");
  const auto known = look_up(entry.name);
  if (!known) throw FormulaError(entry.where, "'" + entry.name + "' is neither a coordinate, a point nor a body");
  const Value wanted = value(entry.value);
  if (wanted.parts.size() != known->parts.size())
    throw FormulaError(entry.where, "'" + entry.name + (known->is_scalar() ? "' is one number" : "' is a vector"));
  for (std::size_t i = 0; i < known->parts.size(); ++i) {
    const Expression x = velocity ? along_flow_(known->parts[i]) : known->parts[i];
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

}  // namespace armature
