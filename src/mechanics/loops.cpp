// Constraint rows: joints that close loops, and distances. A loop is written in the frame of the
// nearest common ancestor of its two sides, so that the zeros of Phi are structural.
#include <algorithm>

#include "mechanics/mechanism.hpp"
#include "mechanics/vanishing_row.hpp"

namespace armature::internal {

namespace {

// Then zeros are zeros in the expressions themselves.
bool along_an_axis(const Vec3& n) {
  return std::ranges::any_of(n, [](const Expression& part) { return part.is(1) || part.is(-1); });
}

int normal_of(const std::string& plane) { return plane == "yz" ? 0 : plane == "xz" ? 1 : 2; }

}  // namespace

void Mechanism::close_joint(int j) {
  const Joint& joint = model_.joints[j];
  const int common = tree_.common_ancestor(link_of(joint.a.body), link_of(joint.b.body));
  Pose a = pose_of(joint.a, common);
  if (const int first = virtual_index(joint.name); first >= 0) {
    // virtual displacements of b seen from a, to first order
    const Expression* e = &virtual_leaves_[first];
    const Mat3 turn{{1.0, -e[5], e[4], e[5], 1.0, -e[3], -e[4], e[3], 1.0}};
    a = a * Pose{turn, {e[0], e[1], e[2]}};
  }
  for (const Expression& sense : loop_senses(geometry_[j], a, pose_of(joint.b, common))) {
    if (!sense.is_constant())
      eq_.senses.push_back(sense);
    else if (sense.value() < 0)
      fail(joint.where, "joints." + joint.name, "its axes are opposed at every pose");
  }
  for (const LoopRow& row : loop_rows(geometry_[j], a, pose_of(joint.b, common))) {
    if (!model_.plane.empty() && !row.in_plane[normal_of(model_.plane)]) {
      if (!row.phi.is_constant() && !second_build())
        fail(joint.where, "joints." + joint.name, "leaves the plane " + model_.plane + " (" + row.direction + ")");
      continue;
    }
    const bool is_zero = !along_an_axis(geometry_[j].n) && !row.phi.is_constant() && vanishes(row.phi, eq_);
    add_row(joint.name, row.suffix, row.direction, row.unit, joint.where, is_zero ? Expression(0.0) : row.phi);
  }
}

void Mechanism::close_loops() {
  for (int j : spanning_tree_.cut) {
    guarded("joints." + model_.joints[j].name, [&] { close_joint(j); });
    if (!second_build()) eq_.cut_joints.push_back(model_.joints[j].name);
  }
  for (const DistanceConstraint& distance : model_.distances)
    guarded("constraints." + distance.name, [&] {
      const int common = tree_.common_ancestor(link_of(distance.a.body), link_of(distance.b.body));
      const Vec3 gap = pose_of(distance.b, common).p - pose_of(distance.a, common).p;
      const Expression length = scalar(distance.length);
      if (length.is_constant() && !(length.value() > 0))
        throw FormulaError(distance.where, "the length must be positive");
      // (|d|^2 - L^2) / 2L: in m, smooth, with lambda the force along the line
      const std::size_t rows = eq_.rows.size();
      add_row(distance.name, "", "the distance", "m", distance.where,
              (dot(gap, gap) - length * length) / (2.0 * length));
      if (eq_.rows.size() > rows) eq_.rows.back().vector.assign(gap.begin(), gap.end());
    });
  add_prescribed();
}

}  // namespace armature::internal
