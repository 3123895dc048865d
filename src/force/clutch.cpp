// Clutch and freewheel between two coordinates, on the slip  s' = a' - ratio b'.
//
//   clutch:     -T sign(s'), and at s' = 0 whatever up to T holds it there: the clutch sticks
//   freewheel:  locks where a would overtake b (s' > 0), up to its capacity; where b overtakes a it drags
//
// What slip dissipates is heat of friction.
#include "force/between_coordinates.hpp"
#include "force/force_kinds.hpp"
#include "mechanics/coordinate_forces.hpp"

namespace armature::internal {
namespace {

namespace clutch_format {
using namespace keys;
constexpr KeySpec clutch[] = {
    {"type", "clutch", text, "", "required"},
    pair_format::between,
    pair_format::ratio,
    {"torque", "largest torque or force on a that it passes while it slips", number, "N*m or N", "required",
     not_negative, moves},
    pair_format::breakaway,
};
constexpr KeySpec freewheel[] = {
    {"type", "freewheel", text, "", "required"},
    {"between", "[a, b]: two coordinates; a drives b and b may overtake a", list, "", "required"},
    pair_format::ratio,
    {"capacity", "torque or force on a at which the locked freewheel slips", number, "N*m or N", "required", positive},
    {"drag", "torque or force on a while b overtakes a", number, "N*m or N", "0", not_negative, moves},
};
}  // namespace clutch_format

void add_slip(EquationsBuilder& builder, const ForceElement& element, const char* forwards, const char* backwards) {
  const RelativeMotion slip = relative_motion(builder, element);
  const Expression T1 = builder.scalar(element.values[forwards]), T2 = builder.scalar(element.values[backwards]);
  const std::string name = element.kind->type() + " " + element.name;
  add_friction(builder, {name, name, slip.rate, T1, T2, breakaway_of(builder, element)});
  record_effort(builder, element, slip.is_length, -select(unit_step(slip.rate), T1, -T2));
}

class Clutch final : public ForceKind {
 public:
  FormatSection format() const override {
    return {"forces: clutch", "friction clutch between two coordinates", clutch_format::clutch};
  }
  void read(const MapReader& map, ForceElement& clutch, Reading& reading) const override {
    read_between_coordinates(map, clutch_format::clutch, clutch, reading);
  }
  void add(EquationsBuilder& builder, const ForceElement& clutch) const override {
    add_slip(builder, clutch, "torque", "torque");
  }
};

class Freewheel final : public ForceKind {
 public:
  FormatSection format() const override {
    return {"forces: freewheel", "one-way clutch between two coordinates", clutch_format::freewheel};
  }
  void read(const MapReader& map, ForceElement& freewheel, Reading& reading) const override {
    read_between_coordinates(map, clutch_format::freewheel, freewheel, reading);
  }
  void add(EquationsBuilder& builder, const ForceElement& freewheel) const override {
    add_slip(builder, freewheel, "capacity", "drag");
  }
};

}  // namespace

const ForceKind& clutch_kind() {
  static const Clutch kind;
  return kind;
}

const ForceKind& freewheel_kind() {
  static const Freewheel kind;
  return kind;
}

}  // namespace armature::internal
