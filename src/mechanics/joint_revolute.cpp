// revolute: Rot(n, q)
#include "mechanics/joint_kind.hpp"

namespace armature::internal {
namespace {

class RevoluteJoint final : public JointKind {
 public:
  void set_motions(JointGeometry& joint, const Joint&, const Vec3*) const override {
    joint.motions = {{ElementaryMotion::Kind::rotation, joint.n, ""}};
  }
  void add_rows(const LoopFrames&, LoopRows& rows) const override { rows.no_translation(), rows.axis_stays(); }
  std::vector<Expression> senses(const LoopFrames& frames) const override { return {frames.same_axis()}; }
  std::vector<JointValue> values(const LoopFrames& frames) const override { return {frames.about_axis("")}; }
};

}  // namespace

const JointKind& revolute_joint() {
  static const RevoluteJoint kind;
  return kind;
}

}  // namespace armature::internal
