// free: Trans(x) Trans(y) Trans(z) R(quaternion)
#include "mechanics/joint_kind.hpp"

namespace armature::internal {
namespace {

class FreeJoint final : public JointKind {
 public:
  void set_motions(JointGeometry& joint, const Joint&, const Vec3*) const override {
    joint.motions = {{ElementaryMotion::Kind::translation, axis_vector(0), "x"},
                     {ElementaryMotion::Kind::translation, axis_vector(1), "y"},
                     {ElementaryMotion::Kind::translation, axis_vector(2), "z"},
                     {ElementaryMotion::Kind::ball, {}, ""}};
  }
  void add_rows(const LoopFrames&, LoopRows&) const override {}
  std::vector<Expression> senses(const LoopFrames&) const override { return {}; }
  std::vector<JointValue> values(const LoopFrames& frames) const override {
    return {frames.slide("x", axis_vector(0)), frames.slide("y", axis_vector(1)), frames.slide("z", axis_vector(2))};
  }
};

}  // namespace

const JointKind& free_joint() {
  static const FreeJoint kind;
  return kind;
}

}  // namespace armature::internal
