// cylindrical: Rot(n, angle) Trans(n, slide)
#include "mechanics/joint_kind.hpp"

namespace armature::internal {
namespace {

class CylindricalJoint final : public JointKind {
 public:
  void set_motions(JointGeometry& joint, const Joint&, const Vec3*) const override {
    joint.motions = {{ElementaryMotion::Kind::rotation, joint.n, "angle"},
                     {ElementaryMotion::Kind::translation, joint.n, "slide"}};
  }
  void add_rows(const LoopFrames& frames, LoopRows& rows) const override {
    rows.no_translation_along(frames.joint.e1, "1"), rows.no_translation_along(frames.joint.e2, "2");
    rows.axis_stays();
  }
  std::vector<Expression> senses(const LoopFrames& frames) const override { return {frames.same_axis()}; }
  std::vector<JointValue> values(const LoopFrames& frames) const override {
    return {frames.about_axis("angle"), frames.slide("slide", frames.joint.n)};
  }
};

}  // namespace

const JointKind& cylindrical_joint() {
  static const CylindricalJoint kind;
  return kind;
}

}  // namespace armature::internal
