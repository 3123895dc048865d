// A type of joint: what it does in the tree, and where it closes a loop. One file each, joint_NAME.cpp, and one row in
// model/joints.def, which has its name, coordinates and keys.
#pragma once

#include "mechanics/joint_motion.hpp"

namespace armature::internal {

class EquationsBuilder;

Vec3 unit_vector(const Vec3& x);
Vec3 axis_vector(int i);                         // x, y, z
Vec3 third_axis(const Vec3& n, const Vec3& e1);  // n x e1

// The two frames of a joint that closes a loop, seen from a common one, and expressions of them that types of joints share.
struct LoopFrames {
  const JointGeometry& joint;
  const Pose &a, &b;
  Vec3 gap{};  // from a to b
  Mat3 Rb{};   // b's axes, aligned with a's at zero

  // Values of coordinates.
  JointValue slide(const std::string& component, const Vec3& n) const;
  JointValue about_axis(const std::string& component) const;
  // The angle by which `moving` has turned from `cosine` towards `sine`.
  static JointValue turn(const std::string& component, const Vec3& moving, const Vec3& cosine, const Vec3& sine);
  // What must be positive so that b's axis points as a's does, or all axes do.
  Expression same_axis() const;
  std::vector<Expression> same_axes() const;
};

// Collects rows.
class LoopRows {
 public:
  explicit LoopRows(const LoopFrames& frames) : frames_(frames) {}
  void no_translation();  // along the axes of the common frame: sparser than along a's
  // n in a's axes; otherwise: how the row is called if n is none of them
  void no_translation_along(const Vec3& n, const std::string& otherwise);
  void translation_along(const Vec3& n, const std::string& otherwise, Expression phi);
  void axis_stays();
  void no_rotation();
  void translation(const std::string& suffix, const Vec3& direction, Expression phi);
  void rotation(const std::string& suffix, const Vec3& about, Expression phi);
  std::vector<LoopRow> take() { return std::move(rows_); }

 private:
  const LoopFrames& frames_;
  std::vector<LoopRow> rows_;
};

class JointKind {
 public:
  virtual ~JointKind() = default;
  // What must hold of its axes and of the values of its own keys. Throws FormulaError.
  virtual void require(EquationsBuilder&, const JointGeometry&, const Joint& /*words*/) const {}
  // Sets the motions of a joint whose axes n, e1, e2 are known; may choose other axes. Throws FormulaError.
  virtual void set_motions(JointGeometry& joint, const Joint& words, const Vec3* axis_b) const = 0;
  // The joint closes a loop: its rows, what must be positive besides, and its coordinates but for a quaternion.
  virtual void add_rows(const LoopFrames& frames, LoopRows& rows) const = 0;
  virtual std::vector<Expression> senses(const LoopFrames& frames) const = 0;
  virtual std::vector<JointValue> values(const LoopFrames& frames) const = 0;
  // Whether axis_b is the same axis in b's frame: then b is turned onto a's axis.
  virtual bool aligns() const { return true; }
};

}  // namespace armature::internal
