// screw: Rot(n, q) Trans(n, lead q), lead = pitch / (2 pi)
//
// Its value is the angle. Where it closes a loop, the slide s along the axis says in which turn the angle is: q = s/lead. One row
// fixes the angle to it,
//     lead sin(angle - s/lead) = 0     with cos(angle - s/lead) > 0,
// which no whole turn changes, so that no angle has to be unwrapped; the others are those of a cylindrical joint.
#include <cmath>
#include <numbers>

#include "mechanics/builder.hpp"
#include "mechanics/joint_kind.hpp"

namespace armature::internal {
namespace {

// An angle in the unit says per what the pitch is; it would be divided by it.
bool names_an_angle(const std::string& text) {
  for (const char* unit : {"/rev", "/ rev", "/rad", "/ rad", "/deg", "/ deg"})
    if (text.find(unit) != std::string::npos) return true;
  return false;
}

class ScrewJoint final : public JointKind {
 public:
  void require(EquationsBuilder& builder, const JointGeometry& joint, const Joint& words) const override {
    const Formula& pitch = words.own[0];
    if (names_an_angle(pitch.text))
      throw FormulaError(pitch.where, "the pitch is a length, that of one turn: write 5 mm for 5 mm/rev");
    builder.require_positive(square(joint.own[0]), pitch.where,
                             "the pitch must not be zero; a joint that only turns is revolute");
  }
  void set_motions(JointGeometry& joint, const Joint&, const Vec3*) const override {
    joint.own[0] = joint.own[0] / (2 * std::numbers::pi);
    joint.motions = {{ElementaryMotion::Kind::rotation, joint.n, "", joint.own[0]}};
  }
  void add_rows(const LoopFrames& frames, LoopRows& rows) const override {
    const JointGeometry& joint = frames.joint;
    rows.no_translation_along(joint.e1, "1"), rows.no_translation_along(joint.e2, "2");
    rows.axis_stays();
    rows.translation_along(joint.n, "n", joint.own[0] * ahead(frames).sine);
  }
  std::vector<Expression> senses(const LoopFrames& frames) const override {
    return {frames.same_axis(), ahead(frames).cosine};
  }
  std::vector<JointValue> values(const LoopFrames& frames) const override {
    JointValue value = frames.about_axis("");
    value.length = turned(frames), value.unwrapped = true;
    return {value};
  }

 private:
  static Expression turned(const LoopFrames& frames) {
    return frames.slide("", frames.joint.n).length / frames.joint.own[0];
  }
  // How far the angle is ahead of the slide.
  static JointValue ahead(const LoopFrames& frames) {
    const JointValue angle = frames.about_axis("");
    const Expression q = turned(frames), s = sin(q), c = cos(q);
    return {"", true, angle.sine * c - angle.cosine * s, angle.cosine * c + angle.sine * s, 0.0};
  }
};

}  // namespace

const JointKind& screw_joint() {
  static const ScrewJoint kind;
  return kind;
}

}  // namespace armature::internal
