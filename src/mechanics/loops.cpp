// Constraint rows: joints that close loops, distances, prescribed expressions. A loop is written in the frame of the
// nearest common ancestor of its two sides, so that the zeros of Phi are structural.
#include <cmath>

#include "mechanics/mechanism.hpp"

namespace armature {

namespace {

// A row that folded to a constant says nothing about the motion; unless the constant is not zero: then nothing can move.
constexpr double closed = 1e-9;  // m or rad

std::string apart(double gap, const std::string& unit) {
  char text[64];
  std::snprintf(text, sizeof text, unit == "m" ? "%.4g mm" : "%.4g rad", unit == "m" ? gap * 1e3 : gap);
  return text;
}

int normal_of(const std::string& plane) { return plane == "yz" ? 0 : plane == "xz" ? 1 : 2; }

}  // namespace

void Mechanism::add_row(const std::string& owner, const std::string& suffix, const std::string& direction,
                        const std::string& unit, Location where, Expression phi) {
  const std::string name = suffix.empty() ? owner : owner + "." + suffix;
  if (!phi.is_constant()) {
    eq_.rows.push_back({name, owner, direction, unit, false, phi});
  } else if (std::abs(phi.value()) > closed) {
    fail(where, owner, "cannot be satisfied: its two sides stay " + apart(phi.value(), unit) + " apart in " + direction +
                           " whatever the pose");
  } else {
    eq_.vanished.push_back({name, owner, direction});
  }
}

void Mechanism::close_joint(int j) {
  const Joint& joint = model_.joints[j];
  const int common = tree_.common_ancestor(link_of(joint.a.body), link_of(joint.b.body));
  Pose a = pose_of(joint.a, common);
  for (std::size_t k = 0; k < virtual_joints_.size(); ++k) {
    if (virtual_joints_[k] != joint.name) continue;
    // virtual displacements of b seen from a, to first order: a's frame moves the other way
    virtual_velocity_[joint.name] = static_cast<int>(eq_.v.size() + 6 * k);
    const Expression* e = &virtual_leaves_[6 * k];
    const Mat3 turn{{1.0, -e[5], e[4], e[5], 1.0, -e[3], -e[4], e[3], 1.0}};
    a = a * Pose{turn, {e[0], e[1], e[2]}};
  }
  for (const LoopRow& row : loop_rows(geometry_[j], a, pose_of(joint.b, common))) {
    if (!model_.plane.empty() && !row.in_plane[normal_of(model_.plane)]) {
      if (!row.phi.is_constant() && virtual_joints_.empty())
        fail(joint.where, "joints." + joint.name, "leaves the plane " + model_.plane + " (" + row.direction + ")");
      continue;
    }
    add_row(joint.name, row.suffix, row.direction, row.unit, joint.where, row.phi);
  }
}

void Mechanism::close_loops() {
  for (int j : spanning_tree_.cut) {
    guarded("joints." + model_.joints[j].name, [&] { close_joint(j); });
    if (virtual_joints_.empty()) eq_.cut_joints.push_back(model_.joints[j].name);
  }
  for (const DistanceConstraint& distance : model_.distances)
    guarded("constraints." + distance.name, [&] {
      const int common = tree_.common_ancestor(link_of(distance.a.body), link_of(distance.b.body));
      const Vec3 gap = pose_of(distance.b, common).p - pose_of(distance.a, common).p;
      const Expression length = scalar(distance.length);
      if (length.is_constant() && !(length.value() > 0)) throw FormulaError(distance.where, "the length must be positive");
      // (|d|^2 - L^2) / 2L: in m, smooth, with lambda the force along the line
      add_row(distance.name, "", "the distance", "m", distance.where, (dot(gap, gap) - length * length) / (2.0 * length));
    });
  for (const PrescribedConstraint& constraint : model_.prescribed)
    guarded("constraints." + constraint.name, [&] {
      const Value zero = value(constraint.zero);
      const char* suffix[] = {"x", "y", "z"};
      for (std::size_t i = 0; i < zero.parts.size(); ++i) {
        const std::size_t before = eq_.rows.size();
        add_row(constraint.name, zero.is_scalar() ? "" : suffix[i], zero.is_scalar() ? "its value" : suffix[i], "",
                constraint.where, zero.parts[i]);
        if (eq_.rows.size() > before) eq_.rows.back().effort = constraint.kind == "prescribed";
      }
    });
}

}  // namespace armature
