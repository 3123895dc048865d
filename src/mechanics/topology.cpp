#include "mechanics/topology.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "mechanics/bodies.hpp"
#include "mechanics/joint_kind.hpp"

namespace armature::internal {

namespace {

// Whether a joint has motions that are not parallel to a plane: turns about its normal and slides along it are.
bool leaves_plane(const JointGeometry& joint, const std::string& plane) {
  const int normal = plane == "yz" ? 0 : plane == "xz" ? 1 : 2;
  for (const ElementaryMotion& motion : joint.motions) {
    if (motion.kind == ElementaryMotion::Kind::ball || !motion.lead.is(0)) return true;
    for (int i = 0; i < 3; ++i)
      if ((i == normal) != (motion.kind == ElementaryMotion::Kind::rotation) && !motion.axis[i].is(0)) return true;
  }
  return false;
}

void check_tree(EquationsBuilder& builder, const SpanningTree& tree) {
  const Model& model = builder.model();
  for (const std::string& body : tree.unreached)
    builder.fail(std::ranges::find(model.bodies, body, &Body::name)->where, "bodies." + body,
                 "no uncut joint connects it to the ground; give it a joint (type: free if it moves freely)");
  for (int j : tree.cut)
    if (model.joints[j].cut == false)
      builder.fail(model.joints[j].where, "joints." + model.joints[j].name,
                   "cannot stay uncut: all joints of its loop have 'cut: false'");
}

// Zeros and ones of right angles are exact.
Mat3 without_round_off(Mat3 R) {
  constexpr double right_angle = 1e-15;
  for (Expression& entry : R.entry)
    if (entry.is_constant() && std::abs(entry.value() - std::round(entry.value())) < right_angle)
      entry = std::round(entry.value());
  return R;
}

// Columns: the axis, a direction across it, and the third.
Mat3 axes_of(const Vec3& axis, const Vec3& zero, Location where) {
  const Vec3 n = unit_vector(axis), across = zero - dot(zero, n) * n;
  const Expression square = dot(across, across), whole = dot(zero, zero);
  constexpr double parallel = 1e-18;  // square of a sine
  if (whole.is(0) || (square.is_constant() && whole.is_constant() && square.value() < parallel * whole.value()))
    throw FormulaError(where, "the direction of 'zero' must lie across the axis, but it is parallel to it");
  const Vec3 u = unit_vector(across), w = third_axis(n, u);
  Mat3 R;
  for (int i = 0; i < 3; ++i) R(i, 0) = n[i], R(i, 1) = u[i], R(i, 2) = w[i];
  return R;
}

Mat3 turn_of(EquationsBuilder& builder, const Joint& joint, const Vec3& axis_a, const Vec3& axis_b) {
  const Joint::Turn& turn = joint.turned;
  if (turn.zero_a.given())
    return without_round_off(axes_of(axis_a, builder.vector(turn.zero_a), joint.where) *
                             transpose(axes_of(axis_b, builder.vector(turn.zero_b), joint.where)));
  if (turn.rpy.given()) {
    const Vec3 rpy = builder.vector(turn.rpy);
    return without_round_off(rotation({0.0, 0.0, 1.0}, rpy[2]) * rotation({0.0, 1.0, 0.0}, rpy[1]) *
                             rotation({1.0, 0.0, 0.0}, rpy[0]));
  }
  const Vec3 axis = turn.axis.given() ? builder.vector(turn.axis) : Vec3{0.0, 0.0, 1.0};
  if (is_zero(axis)) throw FormulaError(turn.axis.where, "the axis has no direction");
  return without_round_off(rotation((1.0 / norm(axis)) * axis, builder.scalar(turn.angle)));
}

// In a planar model bodies turn about the normal only.
bool turns_out_of(const Mat3& align, const std::string& plane) {
  const int normal = plane == "yz" ? 0 : plane == "xz" ? 1 : 2;
  return !align(normal, normal).is(1);
}

JointGeometry geometry_of(EquationsBuilder& builder, const Joint& joint) {
  const Vec3 axis_a = joint.axis_a.given() ? builder.vector(joint.axis_a) : Vec3{0.0, 0.0, 1.0};
  const Vec3 axis_b = joint.axis_b.given() ? builder.vector(joint.axis_b) : axis_a;
  for (const Vec3& axis : {axis_a, axis_b})
    builder.require_positive(norm(axis), joint.where, "the axis has no direction");
  JointFrames frames{axis_a, {}, {}, {}};
  if (joint.axis_b.given()) frames.axis_b = axis_b;
  if (joint.turned.given()) frames.turned = turn_of(builder, joint, axis_a, axis_b);
  if (joint.turned.zero_a.given()) frames.axis_b.reset();  // it is a's in b's axes
  for (const Formula& formula : joint.own) frames.own.push_back(builder.scalar(formula));
  const JointGeometry geometry = joint_geometry(joint, frames);
  geometry.kind->require(builder, geometry, joint);
  return geometry;
}

}  // namespace

Topology topology_of(EquationsBuilder& builder) {
  const Model& model = builder.model();
  Topology topology{spanning_tree(model), {}};
  check_tree(builder, topology.tree);
  for (const Joint& joint : model.joints)
    builder.guarded("joints." + joint.name, [&] {
      topology.geometry.push_back(geometry_of(builder, joint));
      if (!model.plane.empty() && leaves_plane(topology.geometry.back(), model.plane))
        throw FormulaError(joint.where, "moves out of the plane " + model.plane);
      if (!model.plane.empty() && joint.turned.given() && turns_out_of(topology.geometry.back().align, model.plane))
        throw FormulaError(joint.where, "turns b out of the plane " + model.plane);
    });
  builder.throw_if_failed();
  return topology;
}

std::vector<Expression> arm_squares(const EquationsBuilder& builder) {
  std::vector<Expression> squares;
  std::map<std::string, Vec3> first;
  for (const Joint& joint : builder.model().joints)
    for (const Attachment* place : {&joint.a, &joint.b}) {
      const auto [at, is_first] = first.try_emplace(place->body, point_of(*place, builder));
      const Vec3 arm = is_first ? Vec3{} : point_of(*place, builder) - at->second;
      if (!is_zero(arm)) squares.push_back(dot(arm, arm));
    }
  return squares;
}

}  // namespace armature::internal
