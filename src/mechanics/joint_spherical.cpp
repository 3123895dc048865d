// spherical: R(quaternion)
#include "mechanics/joint_kind.hpp"

namespace armature::internal {
namespace {

class SphericalJoint final : public JointKind {
 public:
  void set_motions(JointGeometry& joint, const Joint&, const Vec3*) const override {
    joint.motions = {{ElementaryMotion::Kind::ball, {}, ""}};
  }
  void add_rows(const LoopFrames&, LoopRows& rows) const override { rows.no_translation(); }
  std::vector<Expression> senses(const LoopFrames&) const override { return {}; }
  std::vector<JointValue> values(const LoopFrames&) const override { return {}; }
};

}  // namespace

const JointKind& spherical_joint() {
  static const SphericalJoint kind;
  return kind;
}

}  // namespace armature::internal
