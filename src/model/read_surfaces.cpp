#include <algorithm>

#include <fmt/format.h>

#include "model/contact_surface.hpp"
#include "model/formula_tree.hpp"
#include "model/read_sections.hpp"

namespace armature::internal {
namespace {

namespace surface_format {
using namespace keys;
constexpr std::string_view sides[] = {"outside", "inside"};
constexpr KeySpec free_side = word("free", "side on which the other surface is", sides, "outside");
constexpr KeySpec radius{"radius", "radius", number, "m", "required", positive};
constexpr KeySpec from_point{"from", "one end of its center line, from the place", vector, "m", "[0, 0, 0]"};
constexpr KeySpec to_point{"to", "the other end", vector, "m", "required"};

constexpr KeySpec sphere[] = {{"sphere", "place of its center", text, "", "required"}, radius, free_side};
constexpr KeySpec circle[] = {
    {"circle", "place of its center", text, "", "required"},
    radius,
    {"axis", "axis of symmetry, in the body's axes", vector, "", "the normal of a planar model"},
    free_side};
constexpr KeySpec arc[] = {
    {"arc", "place of its center; planar models", text, "", "required"},
    radius,
    {"from", "angle where it begins, about the plane's normal from the body's x (plane xy), y (yz) or z (xz)", number,
     "1", "required"},
    {"to", "angle where it ends, larger than from by less than a turn", number, "1", "required"},
    free_side};
constexpr KeySpec cylinder[] = {
    {"cylinder", "place on its axis; its center where it has a length", text, "", "required"},
    radius,
    {"axis", "axis of the cylinder, in the body's axes", vector, "", "the normal of a planar model"},
    {"length", "length along the axis; on a plane the cylinder rests on its two rims", number, "m",
     "required with a plane", positive},
    free_side};
constexpr KeySpec plane[] = {
    {"plane", "place on it; a straight line in a planar model", text, "", "required"},
    {"normal", "x, y, z, -x, … or a vector in the body's axes: points to the free side, where the other surface is",
     vector, "", "required"}};
constexpr KeySpec capsule[] = {{"capsule", "place: a rod with round ends", text, "", "required"},
                               from_point,
                               to_point,
                               {"radius", "radius of the rod; 0: a thin wall", number, "m", "0", not_negative}};
constexpr KeySpec slot[] = {
    {"slot", "place: a slot with round ends, with the other surface inside", text, "", "required"},
    from_point,
    to_point,
    {"width", "width of the slot", number, "m", "required", positive}};
constexpr KeySpec cam[] = {{"cam", "place of its axis; planar models", text, "", "required"},
                           {"profile",
                            "radius over the polar angle, a formula of `angle`, measured like the angle of an arc: "
                            "\"r0 + h*cos(angle)\", \"lift(angle)\"",
                            number, "m", "required", positive}};
}  // namespace surface_format

struct SurfaceWords {
  SurfaceKind kind;
  const char* word;
  FormatSection section;
};
const std::vector<SurfaceWords>& surface_words() {
  namespace f = surface_format;
  static const std::vector<SurfaceWords> words{
      {SurfaceKind::sphere, "sphere", {"surface: sphere", "a ball, or with free: inside a bowl", f::sphere}},
      {SurfaceKind::circle,
       "circle",
       {"surface: circle", "a wheel or pin in a planar model, a thin disc in space; with free: inside a hole",
        f::circle}},
      {SurfaceKind::arc, "arc", {"surface: arc", "part of a circle in a planar model", f::arc}},
      {SurfaceKind::cylinder,
       "cylinder",
       {"surface: cylinder", "a round bar, or with free: inside a tube or groove", f::cylinder}},
      {SurfaceKind::plane, "plane", {"surface: plane", "a floor, a wall, the face of a follower", f::plane}},
      {SurfaceKind::capsule, "capsule", {"surface: capsule", "a rod with round ends", f::capsule}},
      {SurfaceKind::slot, "slot", {"surface: slot", "a slot with round ends for a pin", f::slot}},
      {SurfaceKind::cam, "cam", {"surface: cam", "a disc cam by its radius over the polar angle", f::cam}},
  };
  return words;
}

const SurfaceWords* find_words(const YamlNode& node) {
  for (const SurfaceWords& words : surface_words())
    if (node.find(words.word)) return &words;
  return nullptr;
}

std::vector<std::string> all_words() {
  std::vector<std::string> names;
  for (const SurfaceWords& words : surface_words()) names.emplace_back(words.word);
  return names;
}

// Its angle becomes a name of formulas when the equations are built; here it is checked at the angle zero.
Formula read_profile(const MapReader& map, Reading& reading) {
  const YamlNode* node = map.find("profile");
  if (!node) return {};
  const Formula profile = read_formula(*node, map.path("profile"), reading);
  if (profile.given())
    reading.check_later(with_loop_values(profile, {{cam_angle, number_formula(0)}}), map.path("profile"),
                        *find_key(surface_format::cam, "profile"));
  return profile;
}

void require_plane(const SurfaceWords& words, const MapReader& map, Reading& reading) {
  if (!reading.model.plane.empty()) return;
  if (words.kind == SurfaceKind::arc || words.kind == SurfaceKind::cam)
    reading.diagnostics.add(map.where(), map.path(words.word),
                            fmt::format("belongs to a planar model: give the file a plane, such as 'plane: xy'"));
  if ((words.kind == SurfaceKind::circle || words.kind == SurfaceKind::cylinder) && !map.has("axis"))
    reading.diagnostics.add(map.where(), map.path("axis"),
                            fmt::format("is missing: in space, about which a {} is round", words.word));
}

void read_sizes(const SurfaceWords& words, const MapReader& map, ContactSurface& surface, Reading& reading) {
  const auto formula = [&](const char* key) {
    return find_key(words.section.keys, key) ? map.formula(key) : Formula{};
  };
  surface.radius = formula(words.kind == SurfaceKind::slot ? "width" : "radius");
  if (words.kind == SurfaceKind::slot && surface.radius.given()) surface.radius = 0.5 * surface.radius;
  surface.length = formula("length");
  surface.from = formula("from"), surface.to = formula("to");
  if (words.kind == SurfaceKind::plane) surface.axis = map.axis("normal");
  if (find_key(words.section.keys, "axis")) surface.axis = map.axis("axis");
  if (words.kind == SurfaceKind::cam) surface.profile = read_profile(map, reading);
  if (find_key(words.section.keys, "free")) surface.inside = map.choice("free") == "inside";
  surface.inside = surface.inside || words.kind == SurfaceKind::slot;
}

}  // namespace

const char* word_of(SurfaceKind kind) {
  for (const SurfaceWords& words : surface_words())
    if (words.kind == kind) return words.word;
  return "point";
}

std::string in_words(const ContactSurface& surface) {
  const std::string on = surface.at.body == "ground" ? "the ground" : surface.at.body;
  const bool hollow = surface.inside && surface.kind != SurfaceKind::slot;
  return fmt::format("the {}{} on {}", hollow ? "inside of the " : "", word_of(surface.kind), on);
}

std::vector<FormatSection> surface_sections() {
  std::vector<FormatSection> sections;
  for (const SurfaceWords& words : surface_words()) sections.push_back(words.section);
  return sections;
}

std::optional<ContactSurface> read_surface(const YamlNode& node, const std::string& path, Reading& reading) {
  ContactSurface surface;
  surface.where = node.where;
  if (!node.is_map()) {
    const auto place = read_attachment(node, path, reading);
    if (!place) return std::nullopt;
    surface.at = *place;
    return surface;
  }
  const SurfaceWords* words = find_words(node);
  if (!words) {
    reading.diagnostics.add(
        node.where, path,
        fmt::format("expected a place, or a surface such as {{sphere: ball, radius: 20 mm}}: {}", one_of(all_words())));
    return std::nullopt;
  }
  const MapReader map(node, words->section.keys, path, reading);
  const YamlNode* at = map.find(words->word);
  const auto place = read_attachment(*at, map.path(words->word), reading);
  surface.kind = words->kind;
  read_sizes(*words, map, surface, reading);
  require_plane(*words, map, reading);
  if (!place) return std::nullopt;
  surface.at = *place;
  return surface;
}

std::optional<std::pair<ContactSurface, ContactSurface>> read_surfaces(const MapReader& map, Reading& reading) {
  const YamlNode* pair = map.pair("between");
  if (!pair) return std::nullopt;
  auto a = read_surface(pair->items[0], map.path("between"), reading);
  auto b = read_surface(pair->items[1], map.path("between"), reading);
  if (!a || !b) return std::nullopt;
  if (a->at.body == b->at.body) {
    reading.diagnostics.add(
        pair->where, map.path("between"),
        fmt::format("both surfaces are on {}", a->at.body == "ground" ? "the ground" : "body '" + a->at.body + "'"));
    return std::nullopt;
  }
  return std::pair(std::move(*a), std::move(*b));
}

}  // namespace armature::internal
