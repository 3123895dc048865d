// An elastic rope that runs through places without friction, over small pulleys or through eyes. With the length L of the lines
// between its places it pulls with
//
//   max(k (L - length) + c (L - length)', 0)
//
// Its own length may change: on a drum that winds it up (length: l - r*drum), which then feels the rope's pull.
#include <fmt/format.h>

#include "force/between_coordinates.hpp"
#include "force/force_kinds.hpp"
#include "force/moving_contact.hpp"
#include "mechanics/bodies.hpp"

namespace armature::internal {
namespace {

namespace rope_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"type", "rope", text, "", "required"},
    {"through", "[a, b, c, …]: places from one end to the other", list, "", "required"},
    {"length", "relaxed length, of positions and t", number, "m", "required", any, moves},
    {"stiffness", "tension per elongation", number, "N/m", "required", positive},
    {"damping", "tension per rate of the elongation", number, "N*s/m", "0", not_negative},
};
}  // namespace rope_format

class Rope final : public ForceKind {
 public:
  FormatSection format() const override {
    return {"forces: rope", "elastic rope through places, over pulleys or onto a drum", rope_format::table};
  }

  void read(const MapReader& map, ForceElement& rope, Reading& reading) const override {
    read_values(map, rope_format::table, rope);
    const YamlNode* through = map.find("through");
    if (!through) return;
    if (!through->is_list() || through->items.size() < 2) {
      reading.diagnostics.add(through->where, map.path("through"), "expected a list of two or more places");
      return;
    }
    for (std::size_t i = 0; i + 1 < through->items.size(); ++i)
      if (const YamlNode& a = through->items[i], &b = through->items[i + 1];
          a.is_text() && b.is_text() && a.text == b.text)
        reading.diagnostics.add(
            b.where, map.path("through"),
            fmt::format("'{}' appears twice in a row; a rope needs a length between its places", b.text));
    for (const YamlNode& item : through->items)
      if (const auto place = read_attachment(item, map.path("through"), reading)) rope.places.push_back(*place);
  }

  void add(EquationsBuilder& builder, const ForceElement& rope) const override {
    Expression length = 0;
    for (std::size_t i = 0; i + 1 < rope.places.size(); ++i) {
      const Attachment& place = rope.places[i];
      length += norm(builder.bodies_with(place.body, place.where).gap(place, rope.places[i + 1]));
    }
    const Expression tension =
        add_moving_push(builder, length - builder.scalar(rope.values["length"]), rope.values["length"].where,
                        builder.scalar(rope.values["stiffness"]), builder.scalar(rope.values["damping"]),
                        {"rope " + rope.name, "becomes taut", "goes slack", "pulls again", "ceases to pull"});
    record_part(builder, rope, "tension", "N", tension);
  }

  std::string_view drawing() const override { return "distance"; }
};

}  // namespace

const ForceKind& rope_kind() {
  static const Rope kind;
  return kind;
}

}  // namespace armature::internal
