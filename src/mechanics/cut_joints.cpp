#include "mechanics/cut_joints.hpp"

#include <algorithm>

#include "mechanics/linear_angle.hpp"
#include "model/joint_kinds.hpp"

namespace armature::internal {

namespace {

using Vec4 = std::array<Expression, 4>;

// q q' of the unit quaternion q = (w, x, y, z) of a turn: linear in the entries of R.
std::array<Vec4, 4> quaternion_square(const Mat3& R) {
  std::array<Vec4, 4> K;
  const auto set = [&](int i, int j, Expression value) { K[i][j] = K[j][i] = 0.25 * value; };
  set(0, 0, 1.0 + R(0, 0) + R(1, 1) + R(2, 2));
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    set(0, 1 + i, R(k, j) - R(j, k));
    set(1 + i, 1 + i, 1.0 + R(i, i) - R(j, j) - R(k, k));
    set(1 + i, 1 + j, R(i, j) + R(j, i));
  }
  return K;
}

// The quaternion on the side of a reference r, which follows it, so that its sign never jumps:
//   q = K r / sqrt(r' K r),  K = q q'.
Vec4 quaternion_near(const Mat3& R, const Vec4& r) {
  const auto K = quaternion_square(R);
  Vec4 Kr;
  Expression square = 0.0;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) Kr[i] += K[i][j] * r[j];
    square += r[i] * Kr[i];
  }
  for (Expression& part : Kr) part = part / sqrt(square);
  return Kr;
}

// The first reference: w is positive, and where w = 0 the sign is still decided.
constexpr double first_reference[] = {1, 1e-3, 1.1e-3, 1.3e-3};

// Quaternion and angular velocity of b against a, in b's axes, under the names that a ball joint of the tree has.
void add_cut_ball(EquationsBuilder& builder, const std::string& joint, const std::string& prefix, const Mat3& R) {
  Equations& eq = builder.equations();
  const bool second_build = builder.second_build();
  const auto add = [&](const std::string& name, const std::string& unit, Expression x) {
    builder.offer(name, [x] { return Value(x); });
    if (!second_build) eq.quantities.push_back({name, unit, x});
  };
  // the last quaternion is held as a discrete value: it decides the sign of the next one
  Vec4 reference;
  std::array<std::string, 4> names;
  for (int i = 0; i < 4; ++i) {
    names[i] = joint + prefix + "wxyz"[i];
    reference[i] = builder.add_discrete(names[i], 0, 0);
  }
  const Vec4 q = quaternion_near(R, reference);
  for (int i = 0; i < 4; ++i) {
    add(names[i], "", q[i]);
    for (Discrete& value : eq.discrete)
      if (value.name == names[i] && !second_build) value.next = q[i], value.initial = first_reference[i];
  }
  for (int i = 0; i < 3; ++i) {  // [w]x = R' dR/dt
    Expression w = 0.0;
    for (int c = 0; c < 3; ++c) w += R(c, (i + 2) % 3) * builder.rate_of(R(c, (i + 1) % 3));
    add(joint + ".w" + "xyz"[i], "rad/s", w);
  }
}

// In a plane an angle is a sum of coordinates, and whole turns are those at the start. Elsewhere it is unwrapped from a
// reference, a state z that turns with it and what corrects that after every step:
//   ref = z + d,  angle = ref + atan2(sin(angle - ref), cos(angle - ref)),  next d = angle - z.
// In the second build, with further coordinates in the joints, the value of the first one is the reference where there is no sum.
Expression cut_angle(EquationsBuilder& builder, const std::string& name, const JointValue& value) {
  Equations& eq = builder.equations();
  const Expression principal = atan2(value.sine, value.cosine);
  if (principal.is_constant()) return principal;
  // leaves of the first build serve the second one too
  const auto known = std::ranges::find(eq.discrete, name, &Discrete::name);
  const auto turning = std::ranges::find(eq.references, name, &AngleReference::name);
  const bool is_new = known == eq.discrete.end();
  if (is_new && builder.second_build()) return principal;
  const Expression leaf = is_new ? builder.graph().input("turns of " + name) : known->leaf;
  // a sum of coordinates: whole turns are those at the start
  if (const std::optional<Expression> sum = linear_angle(principal, builder.rate_of(principal), eq)) {
    const Expression x = *sum + leaf;
    if (is_new) eq.discrete.push_back({name, leaf, leaf, 0, 0, 0, x});
    return x;
  }
  // unwrapped from a reference that turns with it
  const Expression z = is_new                           ? builder.graph().input("reference of " + name)
                       : turning != eq.references.end() ? turning->leaf
                                                        : Expression(0.0);
  const Expression reference = !is_new && known->turns_of ? *known->turns_of : z + leaf;
  const Expression s = sin(reference), c = cos(reference);
  const Expression x = reference + atan2(value.sine * c - value.cosine * s, value.cosine * c + value.sine * s);
  if (!is_new) return x;
  eq.discrete.push_back({name, leaf, x - z});
  eq.references.push_back({name, z, builder.rate_of(principal)});
  return x;
}

void add_coordinates_of(EquationsBuilder& builder, const Bodies& bodies, const Joint& joint,
                        const JointGeometry& geometry) {
  Equations& eq = builder.equations();
  const int common = bodies.common_link(joint.a, joint.b);
  for (const JointValue& value :
       joint_values(geometry, bodies.pose_of(joint.a, common), bodies.pose_of(joint.b, common))) {
    const std::string name = component_name(joint.name, value.component);
    const Expression x = value.angle && !value.unwrapped ? cut_angle(builder, name, value) : value.length;
    const std::string unit = value.angle ? "rad" : "m";
    builder.name_coordinate({name, unit, x, builder.rate_of(x)});
    if (builder.second_build()) continue;
    eq.quantities.push_back({name, unit, x});
    eq.quantities.push_back({name + "'", unit + "/s", builder.rate_of(x)});
  }
  if (words_of(joint.type).has_ball()) {
    const Mat3 R =
        transpose(bodies.pose_of(joint.a, common).R) * bodies.pose_of(joint.b, common).R * transpose(geometry.align);
    add_cut_ball(builder, joint.name, quaternion_prefix(joint.type), R);
  }
}

}  // namespace

void add_cut_coordinates(EquationsBuilder& builder, const Bodies& bodies, const Topology& topology) {
  for (int j : topology.tree.cut) {
    const Joint& joint = builder.model().joints[j];
    builder.guarded("joints." + joint.name, [&] { add_coordinates_of(builder, bodies, joint, topology.geometry[j]); });
  }
}

}  // namespace armature::internal
