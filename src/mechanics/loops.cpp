#include "mechanics/loops.hpp"

#include <algorithm>

#include "expression/derivative.hpp"
#include "mechanics/constraint_rows.hpp"
#include "mechanics/rolling.hpp"
#include "mechanics/vanishing_row.hpp"

namespace armature::internal {

namespace {

// Then zeros are zeros in the expressions themselves.
bool along_an_axis(const Vec3& n) {
  return std::ranges::any_of(n, [](const Expression& part) { return part.is(1) || part.is(-1); });
}

int normal_of(const std::string& plane) { return plane == "yz" ? 0 : plane == "xz" ? 1 : 2; }

// Virtual displacements of b seen from a, to first order.
Pose virtual_pose(const Expression* e) {
  const Mat3 turn{{1.0, -e[5], e[4], e[5], 1.0, -e[3], -e[4], e[3], 1.0}};
  return {turn, {e[0], e[1], e[2]}};
}

// Conditions that perpendicularity alone does not state: the axes of both sides point the same way.
void add_senses(EquationsBuilder& builder, const Joint& joint, const std::vector<Expression>& senses) {
  for (const Expression& sense : senses) {
    if (!sense.is_constant())
      builder.equations().senses.push_back(sense);
    else if (sense.value() < 0)
      builder.fail(joint.where, "joints." + joint.name, "its axes are opposed at every pose");
  }
}

void close_joint(EquationsBuilder& builder, const Bodies& bodies, const Joint& joint, const JointGeometry& geometry) {
  // both sides seen from the last link that moves them
  const int common = bodies.common_link(joint.a, joint.b);
  Pose a = bodies.pose_of(joint.a, common);
  const Pose b = bodies.pose_of(joint.b, common);
  if (const int first = builder.velocities().first_displacement(joint.name); first >= 0)
    a = a * virtual_pose(&builder.velocities().displacements()[first]);
  add_senses(builder, joint, loop_senses(geometry, a, b));

  // rows that leave the plane of a planar model vanish; so do rows along no axis that are zero at every pose
  const std::string& plane = builder.model().plane;
  const std::vector<Expression> places{a.p[0], a.p[1], a.p[2], b.p[0], b.p[1], b.p[2]};
  for (const LoopRow& row : loop_rows(geometry, a, b)) {
    if (!plane.empty() && !row.in_plane[normal_of(plane)]) {
      if (!row.phi.is_constant() && !builder.second_build())
        builder.fail(joint.where, "joints." + joint.name, "leaves the plane " + plane + " (" + row.direction + ")");
      continue;
    }
    const std::vector<Expression> terms = row.unit == "m" ? places : std::vector<Expression>{};
    const bool is_zero =
        !along_an_axis(geometry.n) && !row.phi.is_constant() && vanishes(row.phi, terms, builder.equations());
    add_row(builder, joint.where,
            {joint.name, row.suffix, row.direction, row.unit, is_zero ? Expression(0.0) : row.phi, terms});
  }
}

// Points of bodies that are fixed to each other, or one on the axis of the other's joint, are as far apart at every pose: what the positions
// leave of that is round-off, which no row must be made of.
Expression distance_squared(EquationsBuilder& builder, const Bodies& bodies, const DistanceConstraint& distance) {
  const int common = bodies.common_link(distance.a, distance.b);
  const Vec3 a = bodies.pose_of(distance.a, common).p, b = bodies.pose_of(distance.b, common).p, gap = b - a;
  const Expression squared = dot(gap, gap);
  const Equations& e = builder.equations();
  if (!stands_still(sqrt(squared), {a[0], a[1], a[2], b[0], b[1], b[2]}, e)) return squared;
  LeafMap zero;
  for (std::size_t i = 0; i < e.q.size(); ++i) zero[e.q[i].id()] = e.q_initial[i];
  return Substitution(zero)(squared);
}

// (|d|^2 - L^2) / 2L: in m, smooth, with lambda the force along the line
void add_distance(EquationsBuilder& builder, const Bodies& bodies, const DistanceConstraint& distance) {
  const Vec3 gap = bodies.gap(distance.a, distance.b);
  const Expression length = builder.scalar(distance.length);
  builder.require_positive(length, distance.where, "the length must be positive");
  const Expression phi = (distance_squared(builder, bodies, distance) - length * length) / (2.0 * length);
  if (ConstraintRow* row = add_row(builder, distance.where, {distance.name, "", "the distance", "m", phi, {length}}))
    row->vector.assign(gap.begin(), gap.end());
}

}  // namespace

void close_loops(EquationsBuilder& builder, const Bodies& bodies, const Topology& topology) {
  const Model& model = builder.model();
  for (int j : topology.tree.cut) {
    const Joint& joint = model.joints[j];
    builder.guarded("joints." + joint.name, [&] { close_joint(builder, bodies, joint, topology.geometry[j]); });
    if (!builder.second_build()) builder.equations().cut_joints.push_back(joint.name);
  }
  for (const DistanceConstraint& distance : model.distances)
    builder.guarded("constraints." + distance.name, [&] { add_distance(builder, bodies, distance); });
  add_prescribed(builder);
  add_rolling(builder);
}

}  // namespace armature::internal
