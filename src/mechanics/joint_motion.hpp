// The geometry of joints: the motions of a joint in the tree, and the rows of a joint that closes a loop.
// A joint's value is the pose of b seen from a. From a to b it is a chain of elementary motions in a's axes,
//   revolute  Rot(n, q)        cylindrical  Rot(n, angle) Trans(n, slide)      universal  Rot(n, first) Rot(m, second)
//   prismatic Trans(n, q)      planar  Trans(e1, x) Trans(e2, y) Rot(n, angle)      spherical  R(quaternion)
//   free      Trans(x) Trans(y) Trans(z) R(quaternion)
// followed by a constant turn `align` where the axis has other components in b than in a.
#pragma once

#include <string>
#include <vector>

#include "mechanics/vector.hpp"
#include "model/model.hpp"

namespace armature::internal {

struct ElementaryMotion {
  enum class Kind { rotation, translation, ball } kind;
  Vec3 axis{};            // unit, in a's axes; not for a ball
  std::string component;  // "" for a joint of one coordinate
};

struct JointGeometry {
  JointType type;
  std::vector<ElementaryMotion> motions;  // from a to b
  Mat3 align = Mat3::identity();          // after them: a's axes from b's axes at zero
  Vec3 n{}, e1{}, e2{};  // axis and two perpendiculars, in a's axes (universal: n first, e1 second axis)
};

// axis_a, axis_b: as in the file, evaluated; axis_b only where it was given.
JointGeometry joint_geometry(JointType type, const Vec3& axis_a, const Vec3* axis_b);

// Rows phi = 0 of a joint that closes a loop, from the poses of its two joint frames (a's and b's body axes at the joint's
// points) in any common frame. Translations are differences; rotations are products of perpendicular axes (sine-like).
struct LoopRow {
  std::string suffix;     // "x", "rz"
  std::string direction;  // "translation along x"
  std::string unit;
  bool in_plane[3];  // whether the row belongs to a plane with normal x, y, z
  Expression phi;
};
std::vector<LoopRow> loop_rows(const JointGeometry& joint, const Pose& a, const Pose& b);
// What must be positive besides: perpendicularity alone would let an axis point the other way.
std::vector<Expression> loop_senses(const JointGeometry& joint, const Pose& a, const Pose& b);

// The coordinates of a joint from the poses of its frames, but for its quaternion. Angles are in (-pi, pi].
struct JointValue {
  std::string component;
  bool angle;
  Expression sine, cosine;  // of an angle (up to a common positive factor)
  Expression length;        // of a translation
};
std::vector<JointValue> joint_values(const JointGeometry& joint, const Pose& a, const Pose& b);

int freedom_count(JointType type);
std::string to_string(JointType type);

// R(q)/|q|^2 for q = (w, x, y, z): does not depend on the norm of q.
Mat3 quaternion_rotation(const std::array<Expression, 4>& q);

}  // namespace armature::internal
