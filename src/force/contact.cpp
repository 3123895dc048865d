// Contact: where two surfaces meet, or a gap, a formula, closes, it pushes them apart and never pulls. A ball on the floor, a pin in a
// slot, a cam with a follower that may lift off. The surfaces: mechanics/contact_geometry.hpp; how elastic ones push: contact_law.hpp;
// rigid ones, which have a restitution and no stiffness: rigid_law.hpp.
#include <vector>

#include "expression/derivative.hpp"
#include "force/between_coordinates.hpp"
#include "force/contact_law.hpp"
#include "force/force_kinds.hpp"
#include "force/moving_contact.hpp"
#include "force/rigid_law.hpp"
#include "model/map_reader.hpp"

namespace armature::internal {
namespace {

namespace contact_format {
using namespace keys;
constexpr KeySpec own[] = {
    {"type", "contact", text, "", "required"},
    {"between",
     "[a, b]: two surfaces, each a place (a point) or one such as {sphere: ball, radius: 20 mm}; keys: armature format "
     "surface",
     list, "", "required without gap"},
    {"gap", "gap as a formula of positions and t, in place of surfaces; the contact pushes while it is negative",
     number, "m", "", any, moves},
    rigid_format::sliding,
};
const std::vector<KeySpec>& table() {
  static const std::vector<KeySpec> keys = [] {
    std::vector<KeySpec> list(std::begin(own), std::end(own));
    const KeyTable law = contact_law_keys();
    list.insert(list.end(), law.begin(), law.end());
    return list;
  }();
  return keys;
}
}  // namespace contact_format

class Contact final : public ForceKind {
 public:
  FormatSection format() const override {
    return {"forces: contact", "contact that pushes and never pulls, where surfaces touch or a gap closes",
            contact_format::table()};
  }
  std::vector<FormatSection> maps() const override {
    std::vector<FormatSection> maps = contact_law_maps();
    for (const FormatSection& surface : surface_sections()) maps.push_back(surface);
    return maps;
  }

  void read(const MapReader& map, ForceElement& contact, Reading& reading) const override {
    read_contact_law(map, contact_format::table(), contact, reading);
    const auto report = [&](const char* key, const char* message) {
      const YamlNode* node = map.find(key);
      reading.diagnostics.add(node ? node->where : map.where(), map.path(key), message);
    };
    // Surfaces or a gap, and what belongs to either.
    if (map.has("between") == map.has("gap"))
      report("between", map.has("gap") ? "gives the gap; leave one of the two out"
                                       : "is missing: two surfaces, or a formula for the gap");
    const bool rigid = is_rigid(map);
    if (!map.has("gap") && map.has("sliding")) report("sliding", "follows from the surfaces; it belongs to a gap");
    if (map.has("gap") && map.has("friction") && !rigid)
      report("friction", "needs surfaces that slide: give between in place of gap");
    if (map.has("gap") && map.has("hertz"))
      report("hertz", "needs the radii of surfaces: give between in place of gap");
    if (!map.has("between")) return;
    if (auto surfaces = read_surfaces(map, reading)) {
      contact.places = {surfaces->first.at, surfaces->second.at};
      contact.surfaces = {std::move(surfaces->first), std::move(surfaces->second)};
    }
  }

  void add(EquationsBuilder& builder, const ForceElement& contact) const override {
    builder.graph().set_comparison_label("contact " + contact.name);
    if (contact.surfaces.empty()) return add_gap(builder, contact);
    // Two surfaces may touch at several points, each with a law of its own.
    for (const ContactPair& pair : contact_pairs(builder, contact.surfaces[0], contact.surfaces[1])) {
      builder.graph().set_comparison_label("contact " + contact.name +
                                           (pair.suffix.empty() ? "" : " at point " + pair.suffix));
      if (is_rigid(contact)) {
        add_rigid_law(builder, contact, rigid_place(contact, pair));
        record_eccentricity(builder, contact, pair);
        continue;
      }
      const Expression push =
          add_contact_law(builder, contact, {pair.suffix, -pair.gap, -pair.gap_rate, 0.0, pair.curvature});
      add_contact_friction(builder, contact, pair, push);
      record_eccentricity(builder, contact, pair);
    }
  }

 private:
  static RigidPlace rigid_place(const ForceElement& contact, const ContactPair& pair) {
    RigidPlace place{pair.suffix, pair.gap};
    if (!contact.values["friction"].given()) return place;
    if (pair.tangents.empty())
      throw FormulaError(contact.values["friction"].where,
                         "in space one of two rigid surfaces with friction is a plane or a cylinder; between others "
                         "give a stiffness and 'creep'");
    place.sliding = pair.slip_rates[0];
    if (pair.slip_rates.size() > 1) place.second = pair.slip_rates[1];
    return place;
  }

  // Of a pin or ball in a hole: how far its center is from that of the hole.
  static void record_eccentricity(EquationsBuilder& builder, const ForceElement& contact, const ContactPair& pair) {
    const bool first = contact.surfaces[0].inside;
    const ContactSurface &hole = contact.surfaces[first ? 0 : 1], &pin = contact.surfaces[first ? 1 : 0];
    if (!hole.inside || (hole.kind != SurfaceKind::circle && hole.kind != SurfaceKind::sphere)) return;
    record_part(builder, contact, "eccentricity", "m",
                builder.scalar(hole.radius) - builder.scalar(pin.radius) - pair.gap);
  }

  static void add_gap(EquationsBuilder& builder, const ForceElement& contact) {
    const Formula& gap = contact.values["gap"];
    if (is_rigid(contact))
      return add_rigid_law(builder, contact, {"", builder.scalar(gap), builder.scalar(contact.values["sliding"])});
    const Expression x = -builder.scalar(gap), rate = rate_of_positions(builder, x, gap.where);
    const Expression moved = x.is_constant() ? Expression(0.0) : Derivative({{builder.equations().t.id(), 1.0}})(x);
    add_contact_law(builder, contact, {"", x, rate, moved});
  }
};

}  // namespace

const ForceKind& contact_kind() {
  static const Contact kind;
  return kind;
}

}  // namespace armature::internal
