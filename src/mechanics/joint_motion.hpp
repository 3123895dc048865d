// The geometry of joints: the motions of a joint in the tree, and the rows of a joint that closes a loop.
// A joint's value is the pose of b seen from a. From a to b it is a chain of elementary motions in a's axes, followed by a constant
// turn `align` where the axis has other components in b than in a. Each type of joint is a file joint_NAME.cpp (joint_kind.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mechanics/vector.hpp"
#include "model/model.hpp"

namespace armature::internal {

class JointKind;

struct ElementaryMotion {
  enum class Kind { rotation, translation, ball } kind;
  Vec3 axis{};            // unit, in a's axes; not for a ball
  std::string component;  // "" for a joint of one coordinate
  Expression lead = 0.0;  // of a rotation: how far it goes along its axis, m/rad
};

struct JointGeometry {
  const JointKind* kind;
  std::vector<ElementaryMotion> motions;  // from a to b
  Mat3 align = Mat3::identity();          // after them: a's axes from b's axes at zero
  Vec3 n{}, e1{}, e2{};         // axis and two perpendiculars, in a's axes (universal: n first, e1 second axis)
  std::vector<Expression> own;  // values of the keys that only its type has
};

// Words of the file, evaluated.
struct JointFrames {
  Vec3 axis_a;
  std::optional<Vec3> axis_b;  // where it was given
  std::optional<Mat3> turned;  // a's axes from b's at zero, where it was given
  std::vector<Expression> own;
};
JointGeometry joint_geometry(const Joint& joint, const JointFrames& frames);  // throws FormulaError

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
  Expression length;        // of a translation; of an angle that is known with its whole turns
  bool unwrapped = false;   // the angle is `length`, rad
};
std::vector<JointValue> joint_values(const JointGeometry& joint, const Pose& a, const Pose& b);

// R(q)/|q|^2 for q = (w, x, y, z): does not depend on the norm of q.
Mat3 quaternion_rotation(const std::array<Expression, 4>& q);

}  // namespace armature::internal
