#include "mechanics/body_start.hpp"

#include <algorithm>

#include "mechanics/bodies.hpp"
#include "mechanics/start_conditions.hpp"

namespace armature::internal {

namespace {

// How far a body is from a wanted orientation: by the sine of the angle between, one row an axis.
Vec3 misalignment(const Mat3& R, const Mat3& wanted) {
  Vec3 rows;
  for (int i = 0; i < 3; ++i) rows[(i + 2) % 3] = dot(column(R, i), column(wanted, (i + 1) % 3));
  return rows;
}

// 1 - cos of the angle between. The sine alone does not tell a body from one turned by 180 degrees; with this row the sum of
// squares is that of the chord, 2 sin(angle/2).
Expression opposition(const Mat3& R, const Mat3& wanted) {
  Expression trace = 0.0;
  for (int i = 0; i < 3; ++i) trace += dot(column(R, i), column(wanted, i));
  return 1.5 - 0.5 * trace;
}

}  // namespace

void add_body_condition(EquationsBuilder& builder, const StartEntry& entry, std::vector<StartCondition>& conditions) {
  Bodies* bodies = builder.find_bodies();
  if (!bodies || !bodies->contains(entry.name) || entry.name == "ground")
    throw FormulaError(entry.where, "'" + entry.name + "' is not a body");
  const auto add_vector = [&](const Vec3& is, const Vec3& wanted, const std::string& prefix, const std::string& unit) {
    const double size = std::max(largest_constant(is), largest_constant(wanted));
    for (int i = 0; i < 3; ++i)
      add_condition(
          builder, entry, prefix + "xyz" [i], { is[i] - wanted[i], size }, unit, conditions);
  };
  const Pose X = bodies->pose_of({entry.name, {}, entry.where});
  // position and orientation
  if (entry.at.given()) add_vector(X.p, builder.vector(entry.at), "", "m");
  if (entry.angle.given()) {
    Vec3 axis = entry.axis.given() ? builder.vector(entry.axis) : Vec3{0.0, 0.0, 1.0};
    axis = (1.0 / norm(axis)) * axis;
    const Mat3 wanted = rotation(axis, builder.scalar(entry.angle));
    const Vec3 sines = misalignment(X.R, wanted);
    for (int i = 0; i < 3; ++i)
      add_condition(
          builder, entry, std::string("r") + "xyz" [i], { sines[i], 1 }, "rad", conditions);
    add_condition(builder, entry, "r", {opposition(X.R, wanted), 1}, "rad", conditions);
  }
  // velocity and angular velocity
  if (entry.velocity.given())
    add_vector({builder.time_derivative(X.p[0]), builder.time_derivative(X.p[1]), builder.time_derivative(X.p[2])},
               builder.vector(entry.velocity), "", "m/s");
  if (entry.spin.given()) add_vector(bodies->angular_velocity(X.R), builder.vector(entry.spin), "r", "rad/s");
}

}  // namespace armature::internal
