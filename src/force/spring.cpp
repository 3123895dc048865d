// A spring and a damper between two places, along the line from a to b. It pulls with
//
//   k (|b - a| - length) + c d|b - a|/dt
//
// One that is relaxed at no length acts along each axis by itself: no direction is lost when its ends meet, and it damps across the line
// too.
#include "force/force_kinds.hpp"
#include "mechanics/bodies.hpp"
#include "mechanics/coordinate_forces.hpp"
#include "model/read_sections.hpp"

namespace armature::internal {
namespace {

namespace spring_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"type", "spring", text, "", "required"},
    {"between", "[a, b]: two places", list, "", "required"},
    {"stiffness", "tension per elongation", number, "N/m", "0", not_negative},
    {"damping", "damping coefficient along the line between the places", number, "N*s/m", "0", any, moves},
    {"length", "relaxed length", number, "m", "0", not_negative},
};
}  // namespace spring_format

class Spring final : public ForceKind {
 public:
  FormatSection format() const override {
    return {"forces: spring", "spring and damper between two places", spring_format::table};
  }

  void read(const MapReader& map, ForceElement& spring, Reading& reading) const override {
    spring.places.resize(2);
    read_between(map, spring.places[0], spring.places[1], reading);
    read_values(map, spring_format::table, spring);
  }

  void add(EquationsBuilder& builder, const ForceElement& spring) const override {
    const Attachment &a = spring.places[0], &b = spring.places[1];
    const Vec3 gap = builder.bodies_with(a.body, a.where).gap(a, b);
    const Expression k = builder.scalar(spring.values["stiffness"]), c = builder.scalar(spring.values["damping"]),
                     rest = builder.scalar(spring.values["length"]);
    if (rest.is(0)) {
      for (const Expression& part : gap) add_spring(builder, part, builder.time_derivative(part), k, c);
      return;
    }
    if (!c.is(0))
      builder.assume_positive(rest, spring.values["length"].where,
                              "with a length of zero the spring has other equations");
    const Expression length = norm(gap);
    add_spring(builder, length - rest, builder.time_derivative(length), k, c);
  }

  std::string_view drawing() const override { return "spring"; }
};

}  // namespace

const ForceKind& spring_kind() {
  static const Spring kind;
  return kind;
}

}  // namespace armature::internal
