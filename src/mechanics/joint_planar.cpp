// planar: Trans(e1, x) Trans(e2, y) Rot(n, angle)
#include "mechanics/joint_kind.hpp"

namespace armature::internal {
namespace {

class PlanarJoint final : public JointKind {
 public:
  void set_motions(JointGeometry& joint, const Joint&, const Vec3*) const override {
    joint.motions = {{ElementaryMotion::Kind::translation, joint.e1, "x"},
                     {ElementaryMotion::Kind::translation, joint.e2, "y"},
                     {ElementaryMotion::Kind::rotation, joint.n, "angle"}};
  }
  void add_rows(const LoopFrames& frames, LoopRows& rows) const override {
    rows.no_translation_along(frames.joint.n, "n"), rows.axis_stays();
  }
  std::vector<Expression> senses(const LoopFrames& frames) const override { return {frames.same_axis()}; }
  std::vector<JointValue> values(const LoopFrames& frames) const override {
    return {frames.slide("x", frames.joint.e1), frames.slide("y", frames.joint.e2), frames.about_axis("angle")};
  }
};

}  // namespace

const JointKind& planar_joint() {
  static const PlanarJoint kind;
  return kind;
}

}  // namespace armature::internal
