// prismatic: Trans(n, q)
#include "mechanics/joint_kind.hpp"

namespace armature::internal {
namespace {

class PrismaticJoint final : public JointKind {
 public:
  void set_motions(JointGeometry& joint, const Joint&, const Vec3*) const override {
    joint.motions = {{ElementaryMotion::Kind::translation, joint.n, ""}};
  }
  void add_rows(const LoopFrames& frames, LoopRows& rows) const override {
    rows.no_translation_along(frames.joint.e1, "1"), rows.no_translation_along(frames.joint.e2, "2");
    rows.no_rotation();
  }
  std::vector<Expression> senses(const LoopFrames& frames) const override { return frames.same_axes(); }
  std::vector<JointValue> values(const LoopFrames& frames) const override { return {frames.slide("", frames.joint.n)}; }
};

}  // namespace

const JointKind& prismatic_joint() {
  static const PrismaticJoint kind;
  return kind;
}

}  // namespace armature::internal
