// Start conditions: residual = quantity - wanted, for a coordinate, a point or a body's pose; and for their speeds.
#include "mechanics/mechanism.hpp"

namespace armature {

// How far a body is from a wanted orientation: sine-like, one row an axis.
static Vec3 misalignment(const Mat3& R, const Mat3& wanted) {
  Vec3 rows;
  for (int i = 0; i < 3; ++i) rows[(i + 2) % 3] = dot(column(R, i), column(wanted, (i + 1) % 3));
  return rows;
}

// Angular velocity in ground axes from Rdot R'.
static Vec3 angular_velocity(const Mat3& R, Derivative& along_flow) {
  Vec3 w{};
  for (int i = 0; i < 3; ++i)
    for (int c = 0; c < 3; ++c) w[i] += along_flow(R((i + 2) % 3, c)) * R((i + 1) % 3, c);
  return w;
}

void Mechanism::start_entry(const StartEntry& entry, bool velocity, std::vector<StartCondition>& conditions) {
  auto add = [&](const std::string& suffix, Expression residual, const std::string& unit) {
    const std::string name = suffix.empty() ? entry.name : entry.name + "." + suffix;
    if (residual.is_constant()) {
      if (std::abs(residual.value()) > 1e-9) throw FormulaError(entry.where, "'" + name + "' cannot take this value whatever the pose");
      return;
    }
    conditions.push_back({name, entry.where, residual, unit});
  };
  auto add_vector = [&](const Vec3& is, const Vec3& wanted, const std::string& prefix, const std::string& unit) {
    for (int i = 0; i < 3; ++i) add(prefix + "xyz"[i], is[i] - wanted[i], unit);
  };

  if (const JointCoordinate* x = find_coordinate(entry.name); x && entry.value.given()) {
    add("", (velocity ? x->rate : x->value) - scalar(entry.value), velocity ? x->unit + "/s" : x->unit);
    return;
  }
  if (entry.value.given()) {
    const auto known = look_up(entry.name);
    if (!known) throw FormulaError(entry.where, "'" + entry.name + "' is neither a coordinate, a point nor a body");
    if (known->is_scalar()) {
      const Expression x = known->parts[0];
      add("", (velocity ? along_flow_(x) : x) - scalar(entry.value), "");
      return;
    }
    Vec3 x{known->parts[0], known->parts[1], known->parts[2]};
    if (velocity) for (Expression& part : x) part = along_flow_(part);
    add_vector(x, vector(entry.value), "", velocity ? "m/s" : "m");
    return;
  }
  if (!bodies_.contains(entry.name) || entry.name == "ground")
    throw FormulaError(entry.where, "'" + entry.name + "' is not a body");
  const Pose X = pose_of({entry.name, {}, entry.where}, -1);
  if (entry.at.given()) add_vector(X.p, vector(entry.at), "", "m");
  if (entry.angle.given()) {
    Vec3 axis = entry.axis.given() ? vector(entry.axis) : Vec3{0.0, 0.0, 1.0};
    axis = (1.0 / norm(axis)) * axis;
    add_vector(misalignment(X.R, rotation(axis, scalar(entry.angle))), {}, "r", "rad");
  }
  if (entry.velocity.given())
    add_vector({along_flow_(X.p[0]), along_flow_(X.p[1]), along_flow_(X.p[2])}, vector(entry.velocity), "", "m/s");
  if (entry.spin.given()) add_vector(angular_velocity(X.R, along_flow_), vector(entry.spin), "r", "rad/s");
}

void Mechanism::add_start() {
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
