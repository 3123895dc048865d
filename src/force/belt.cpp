// An elastic belt or chain on two wheels at a fixed distance. The wheels move the belt by  s = r_a a - r_b b:
// one strand gets longer by s, the other shorter. A strand with the pretension T0 pulls with
//
//   max(T0 + k x + c x', 0),   x = s or -s
//
// and no longer when it is slack. Without a pretension both strands stay taut, so the belt is a spring of stiffness 2 k.
#include "force/between_coordinates.hpp"
#include "force/force_kinds.hpp"
#include "mechanics/coordinate_forces.hpp"

namespace armature::internal {
namespace {

namespace belt_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"type", "belt", text, "", "required"},
    {"between", "[a, b]: the angles of two wheels", list, "", "required"},
    {"radii", "[of a, of b]: radii of the wheels, m; one of them negative: a crossed belt", list, "", "required"},
    {"stiffness", "stiffness of one strand: E A/length", number, "N/m", "required", positive},
    {"damping", "damping of one strand", number, "N*s/m", "0", not_negative},
    {"pretension", "tension of each strand at rest; a strand without tension is slack", number, "N", "never slack",
     positive},
};
constexpr KeySpec radius{"radii", "", number, "m"};
}  // namespace belt_format

PushWords strand(const ForceElement& belt, const std::string& which) {
  return {"belt " + belt.name, "its " + which + " strand tightens", "its " + which + " strand goes slack",
          "its " + which + " strand pulls again", "its " + which + " strand ceases to pull"};
}

void require_radii(EquationsBuilder& builder, const ForceElement& belt, const Expression& a, const Expression& b) {
  builder.require_positive(square(a), belt.values["radii.a"].where, "a wheel has a radius other than zero");
  builder.require_positive(square(b), belt.values["radii.b"].where, "a wheel has a radius other than zero");
  const Expression twice_the_larger = a + b + sqrt(square(a - b));
  builder.require_positive(twice_the_larger, belt.values["radii.a"].where,
                           "one radius may be negative, for a crossed belt, not both");
}

class Belt final : public ForceKind {
 public:
  FormatSection format() const override {
    return {"forces: belt", "elastic belt or chain on two wheels", belt_format::table};
  }

  void read(const MapReader& map, ForceElement& belt, Reading& reading) const override {
    read_between_coordinates(map, belt_format::table, belt, reading);
    const YamlNode* radii = map.pair("radii");
    for (std::size_t i = 0; radii && i < 2; ++i) {
      const Formula radius = read_formula(radii->items[i], map.path("radii"), reading);
      reading.check_later(radius, map.path("radii"), belt_format::radius);
      belt.values.set(i == 0 ? "radii.a" : "radii.b", radius);
    }
  }

  void add(EquationsBuilder& builder, const ForceElement& belt) const override {
    const NamedCoordinate &a = builder.coordinate(belt.on[0], belt.where),
                          &b = builder.coordinate(belt.on[1], belt.where);
    const auto number = [&](const char* key) { return builder.scalar(belt.values[key]); };
    const Expression r_a = number("radii.a"), r_b = number("radii.b"), k = number("stiffness"), c = number("damping"),
                     T0 = number("pretension");
    require_radii(builder, belt, r_a, r_b);
    const Expression s = r_a * a.value - r_b * b.value, rate = r_a * a.rate - r_b * b.rate;
    // Without a pretension to lose both strands are one spring.
    if (!belt.values["pretension"].given()) {
      add_spring(builder, s, rate, 2.0 * k, 2.0 * c);
      record_part(builder, belt, "force", "N", 2.0 * (k * s + c * rate));
      return;
    }
    // With one each strand pulls by itself, and only while it is longer than relaxed.
    const Expression pulled = add_push(builder, s + T0 / k, rate, k, c, strand(belt, "first")),
                     other = add_push(builder, T0 / k - s, -rate, k, c, strand(belt, "second"));
    record_part(builder, belt, "force", "N", pulled - other);
    record_part(builder, belt, "tension1", "N", pulled);
    record_part(builder, belt, "tension2", "N", other);
  }
};

}  // namespace

const ForceKind& belt_kind() {
  static const Belt kind;
  return kind;
}

}  // namespace armature::internal
