// fixed: no motion
#include "mechanics/joint_kind.hpp"

namespace armature::internal {
namespace {

class FixedJoint final : public JointKind {
 public:
  void set_motions(JointGeometry&, const Joint&, const Vec3*) const override {}
  void add_rows(const LoopFrames&, LoopRows& rows) const override { rows.no_translation(), rows.no_rotation(); }
  std::vector<Expression> senses(const LoopFrames& frames) const override { return frames.same_axes(); }
  std::vector<JointValue> values(const LoopFrames&) const override { return {}; }
};

}  // namespace

const JointKind& fixed_joint() {
  static const FixedJoint kind;
  return kind;
}

}  // namespace armature::internal
