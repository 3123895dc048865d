// universal: Rot(n, first) Rot(m, second), with n on a and m, perpendicular to it, on b
#include "mechanics/builder.hpp"
#include "mechanics/joint_kind.hpp"

namespace armature::internal {
namespace {

class UniversalJoint final : public JointKind {
 public:
  bool aligns() const override { return false; }
  void require(EquationsBuilder& builder, const JointGeometry& joint, const Joint& words) const override {
    constexpr double largest_cosine = 1e-9;  // round-off
    builder.require_not_negative(square(largest_cosine) - square(dot(joint.n, joint.e1)), words.where,
                                 "the two axes of a universal joint must be perpendicular");
  }
  void set_motions(JointGeometry& joint, const Joint&, const Vec3* axis_b) const override {
    if (axis_b) joint.e1 = unit_vector(*axis_b);
    joint.e2 = third_axis(joint.n, joint.e1);
    joint.motions = {{ElementaryMotion::Kind::rotation, joint.n, "first"},
                     {ElementaryMotion::Kind::rotation, joint.e1, "second"}};
  }
  void add_rows(const LoopFrames& frames, LoopRows& rows) const override {
    const JointGeometry& joint = frames.joint;
    rows.no_translation();
    rows.rotation("r", joint.e2, dot(frames.a.R * joint.n, frames.Rb * joint.e1));
  }
  std::vector<Expression> senses(const LoopFrames&) const override { return {}; }
  std::vector<JointValue> values(const LoopFrames& frames) const override {
    // b's second axis turns about n by `first`; a's first axis, seen from b, turns about e1 by -second
    const JointGeometry& joint = frames.joint;
    const Mat3 &a = frames.a.R, &b = frames.Rb;
    return {frames.turn("first", b * joint.e1, a * joint.e1, a * joint.e2),
            frames.turn("second", a * joint.n, b * joint.n, b * joint.e2)};
  }
};

}  // namespace

const JointKind& universal_joint() {
  static const UniversalJoint kind;
  return kind;
}

}  // namespace armature::internal
