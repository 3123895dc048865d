// Start conditions on a body: where it is and how it is turned, how fast it moves and spins.
#include "mechanics/mechanism.hpp"

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

// w in ground axes from Rdot R'.
Vec3 Mechanism::angular_velocity(const Mat3& R) {
  Vec3 w{};
  for (int i = 0; i < 3; ++i)
    for (int c = 0; c < 3; ++c) w[i] += along_flow(R((i + 2) % 3, c)) * R((i + 1) % 3, c);
  return w;
}

EquationsBuilder::Turning Mechanism::turning_of(const std::string& body, Location where) {
  if (!bodies_.contains(body)) throw FormulaError(where, "there is no body '" + body + "'");
  const Mat3 R = pose_of({body, {}, where}, -1).R;
  return {R, angular_velocity(R)};
}

void Mechanism::add_body_condition(const StartEntry& entry, bool, std::vector<StartCondition>& conditions) {
  if (!bodies_.contains(entry.name) || entry.name == "ground")
    throw FormulaError(entry.where, "'" + entry.name + "' is not a body");
  auto add_vector = [&](const Vec3& is, const Vec3& wanted, const std::string& prefix, const std::string& unit) {
    for (int i = 0; i < 3; ++i) add_condition(entry, prefix + "xyz"[i], is[i] - wanted[i], unit, conditions);
  };
  const Pose X = pose_of({entry.name, {}, entry.where}, -1);
  if (entry.at.given()) add_vector(X.p, vector(entry.at), "", "m");
  if (entry.angle.given()) {
    Vec3 axis = entry.axis.given() ? vector(entry.axis) : Vec3{0.0, 0.0, 1.0};
    axis = (1.0 / norm(axis)) * axis;
    const Mat3 wanted = rotation(axis, scalar(entry.angle));
    add_vector(misalignment(X.R, wanted), {}, "r", "rad");
    add_condition(entry, "r", opposition(X.R, wanted), "rad", conditions);
  }
  if (entry.velocity.given())
    add_vector({along_flow(X.p[0]), along_flow(X.p[1]), along_flow(X.p[2])}, vector(entry.velocity), "", "m/s");
  if (entry.spin.given()) add_vector(angular_velocity(X.R), vector(entry.spin), "r", "rad/s");
}

}  // namespace armature::internal
