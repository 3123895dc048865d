// A spring and a damper on a coordinate x, an angle or a length:  -k (x - rest) - c x'.
#include "force/force_kinds.hpp"
#include "mechanics/coordinate_forces.hpp"
#include "model/read_sections.hpp"

namespace armature::internal {
namespace {

namespace torsion_spring_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"type", "torsion_spring", text, "", "required"},
    {"on", "a coordinate", text, "", "required"},
    {"stiffness", "torque or force per displacement", number, "N*m or N/m", "0", not_negative},
    {"damping", "viscous damping coefficient", number, "N*m*s or N*s/m", "0", any, moves},
    {"rest", "value at which the spring is relaxed", number, "rad or m", "0"},
};
}  // namespace torsion_spring_format

class TorsionSpring final : public ForceKind {
 public:
  FormatSection format() const override {
    return {"forces: torsion_spring", "spring and damper on a coordinate", torsion_spring_format::table};
  }

  void read(const MapReader& map, ForceElement& spring, Reading& reading) const override {
    const std::optional<CoordinateReference> on = read_coordinate_on(map, reading);
    if (on) spring.on = {on->name};
    read_values(map, torsion_spring_format::table, spring, on && on->is_length);
  }

  void add(EquationsBuilder& builder, const ForceElement& spring) const override {
    add_coordinate_spring(builder, builder.coordinate(spring.on.front(), spring.where),
                          builder.scalar(spring.values["stiffness"]), builder.scalar(spring.values["damping"]),
                          builder.scalar(spring.values["rest"]));
  }
};

}  // namespace

const ForceKind& torsion_spring_kind() {
  static const TorsionSpring kind;
  return kind;
}

}  // namespace armature::internal
