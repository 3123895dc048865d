#include "inverse/inverse_model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/formula_tree.hpp"

namespace armature::internal {

namespace {

[[noreturn]] void refuse(const Model& model, Location where, const std::string& key, const std::string& message) {
  throw ModelError(model.file, {{where, key, message}});
}

void add_motion_rows(Model& model) {
  for (const WantedMotion& wanted : model.motion) {
    const Formula zero = name_formula(wanted.name, wanted.where) - wanted.is;
    model.prescribed.push_back({motion_prefix + wanted.name, wanted.where, "prescribed", zero});
    const auto same = [&](const StartEntry& entry) { return entry.name == wanted.name; };
    for (const StartEntry& entry : model.start.keep)
      if (same(entry)) model.start.near.push_back(entry);
    std::erase_if(model.start.keep, same);
    std::erase_if(model.start.speed_keep, same);
  }
}

// Currents follow from the motion, and so do rotors behind elastic gears.
void forget_starts_of_motors(Model& model) {
  const auto of_motor = [&](const StartEntry& entry) {
    return std::any_of(model.motors.begin(), model.motors.end(), [&](const DcMotor& motor) {
      return entry.name == motor.name + ".current" || entry.name == motor.name + ".rotor";
    });
  };
  for (auto* entries : {&model.start.keep, &model.start.near, &model.start.speed_keep, &model.start.speed_near})
    std::erase_if(*entries, of_motor);
}

Formula effort_of(Model& model, const std::string& actuator, Location where) {
  Parameter effort;
  effort.name = effort_prefix + actuator;
  model.parameters.push_back(effort);
  return name_formula(effort.name, where);
}

// The effort u behind a gear of efficiency n takes u/n from the motor, or u n where it brakes, and the motor's viscous
// friction besides.
Formula before_losses(Model& model, const DcMotor& motor, const Formula& effort) {
  if (!motor.efficiency.given()) return effort;
  const auto name = [&](const char* part, const Formula& formula, const char* otherwise) {
    const std::string known = "inverse_" + std::string(part) + "_" + motor.name;
    model.definitions.emplace_back(known, formula.given() ? formula : parse_formula(otherwise, motor.where));
    return known;
  };
  const std::string u = name("effort", effort, ""), n = name("efficiency", motor.efficiency, "1"),
                    r = fmt::format("({}/{})", name("ratio", motor.gear_ratio, "1"), name("radius", motor.radius, "1")),
                    d = name("friction", motor.viscous_friction, "0"), w = motor.name + ".speed";
  return parse_formula(fmt::format("{0}*if({0}*{1}/{2} >= 0, 1/{3}, {3}) + {2}*{4}*{1}", u, w, r, n, d), motor.where);
}

void keep_limits(Model& model, const DcMotor& motor) {
  const auto keep = [&](const char* part, const Formula& limit) {
    if (limit.given()) model.record.quantities.emplace_back(limit_prefix + motor.name + "." + part, limit);
  };
  keep("voltage", motor.voltage_limit);
  keep("current", motor.current_limit);
  keep("speed", motor.speed_limit);
}

void refuse_unknown_gears(const Model& model, const DcMotor& motor) {
  const std::string key = "drives." + motor.name;
  if (!motor.stiffness.given()) return;
  if (motor.backlash.given())
    refuse(model, motor.where, key,
           "has backlash, across which the rotor jumps whenever the torque changes its sign: no effort does that");
  if (!motor.carried_by.empty())
    refuse(model, motor.where, key, "inverse dynamics does not know an elastic gear whose rotor a body carries");
  if (motor.winding.heat_capacity.given())
    refuse(model, motor.where, key, "inverse dynamics does not know the winding's temperature behind an elastic gear");
}

// A rigid gear: the motor is an effort on its coordinate. An elastic one: its spring is, and the rotor follows from it.
void turn_motors_into_efforts(Model& model) {
  for (DcMotor& motor : model.motors) {
    refuse_unknown_gears(model, motor);
    keep_limits(model, motor);
    const Formula effort = effort_of(model, motor.name, motor.where);
    if (motor.stiffness.given()) {
      model.efforts.push_back({"gear of " + motor.name, motor.where, motor.on, effort});
      model.record.quantities.emplace_back(driven_prefix + motor.name, name_formula(motor.on, motor.where));
      continue;
    }
    motor.voltage = motor.current = motor.voltage_limit = motor.current_limit = motor.speed_limit = {};
    motor.torque = before_losses(model, motor, effort);
    motor.inductance = {};  // L di/dt is added to the voltage when di/dt is known
  }
  std::erase_if(model.motors, [](const DcMotor& motor) { return motor.stiffness.given(); });
  for (const std::string& on : model.actuators)
    model.efforts.push_back({"effort." + on, {}, on, effort_of(model, on, {})});
}

}  // namespace

std::vector<bool> rows_of_motion(const Equations& equations) {
  std::vector<bool> motion;
  for (const ConstraintRow& row : equations.rows) motion.push_back(row.owner.starts_with(motion_prefix));
  return motion;
}

int effort_index(const Equations& equations, const std::string& actuator) {
  const auto& names = equations.p_name;
  return static_cast<int>(std::find(names.begin(), names.end(), effort_prefix + actuator) - names.begin());
}

const Expression* find_quantity(const Equations& equations, const std::string& name) {
  for (const Quantity& quantity : equations.quantities)
    if (quantity.name == name) return &quantity.value;
  return nullptr;
}

Prepared compile_inverse(const Model& model) {
  if (model.motion.empty())
    refuse(model, {}, "inverse.motion", "is missing: say what coordinates or points must do, as formulas of t");
  if (model.motors.empty() && model.actuators.empty())
    refuse(model, {}, "inverse.actuators",
           "is missing: the model has no drives, so name the coordinates on which efforts act");
  Model moved = model;
  moved.controllers.clear();
  forget_starts_of_motors(moved);
  add_motion_rows(moved);
  turn_motors_into_efforts(moved);
  std::vector<std::string> efforts;
  for (const Parameter& parameter : moved.parameters)
    if (parameter.name.starts_with(effort_prefix)) efforts.push_back(parameter.name);
  return compile(moved, efforts);
}

}  // namespace armature::internal
