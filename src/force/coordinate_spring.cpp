// A spring and a damper between two coordinates, on  s = a - ratio b:  -k (s - rest) - c s'.  With free play it acts only where
// |s - rest| > backlash/2, by how much it is larger, and never pulls its flanks together.
#include "force/between_coordinates.hpp"
#include "force/force_kinds.hpp"
#include "mechanics/coordinate_forces.hpp"

namespace armature::internal {
namespace {

namespace coordinate_spring_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"type", "coordinate_spring", text, "", "required"},
    pair_format::between,
    pair_format::ratio,
    {"stiffness", "torque or force on a per displacement", number, "N*m or N/m", "0", not_negative},
    {"damping", "torque or force on a per rate", number, "N*m*s or N*s/m", "0", any, moves},
    {"rest", "a - ratio b where the spring is relaxed", number, "rad or m", "0"},
    {"backlash", "total free play", number, "rad or m", "0", not_negative},
};
}  // namespace coordinate_spring_format

class CoordinateSpring final : public ForceKind {
 public:
  FormatSection format() const override {
    return {"forces: coordinate_spring", "spring and damper between two coordinates: torsion bar, elastic gear",
            coordinate_spring_format::table};
  }

  void read(const MapReader& map, ForceElement& spring, Reading& reading) const override {
    read_between_coordinates(map, coordinate_spring_format::table, spring, reading);
  }

  void add(EquationsBuilder& builder, const ForceElement& spring) const override {
    const RelativeMotion motion = relative_motion(builder, spring);
    const auto number = [&](const char* key) { return builder.scalar(spring.values[key]); };
    const Expression k = number("stiffness"), c = number("damping"), play = number("backlash"),
                     s = motion.value - number("rest");
    if (play.is(0)) {
      add_spring(builder, s, motion.rate, k, c);
      record_effort(builder, spring, motion.is_length, -(k * s) - c * motion.rate);
      return;
    }
    // With free play, a push on either flank.
    const PushWords words{spring.kind->type() + " " + spring.name, "a flank touches", "a flank comes off"};
    const Expression forwards = add_push(builder, s - 0.5 * play, motion.rate, k, c, words),
                     backwards = add_push(builder, -s - 0.5 * play, -motion.rate, k, c, words);
    record_effort(builder, spring, motion.is_length, backwards - forwards);
  }
};

}  // namespace

const ForceKind& coordinate_spring_kind() {
  static const CoordinateSpring kind;
  return kind;
}

}  // namespace armature::internal
