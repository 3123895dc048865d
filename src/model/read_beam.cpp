// Flexible bodies: a beam, what moves of it, its damping. In the plane of a planar model it bends; elsewhere it bends both
// ways and twists.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/formula_tree.hpp"
#include "model/read_sections.hpp"

namespace armature::internal {
namespace {

int read_count(const MapReader& map, const char* key, int fallback, int least, int most, Reading& reading) {
  const double count = map.constant(key).value_or(fallback);
  if (count == std::floor(count) && (!map.has(key) || count >= least) && count <= most) return static_cast<int>(count);
  reading.diagnostics.add(map.find(key)->where, map.path(key),
                          fmt::format("must be a whole number from {} to {}", least, most));
  return fallback;
}

std::vector<BeamField> moving_fields(const std::string& plane, bool axial) {
  std::vector<BeamField> fields;
  if (plane != "xz") fields.push_back(BeamField::bend_y);
  if (plane != "xy") fields.push_back(BeamField::bend_z);
  if (plane.empty()) fields.push_back(BeamField::twist);
  if (axial) fields.push_back(BeamField::stretch);
  return fields;
}

// A field of n elements has 2 n coordinates where it bends, n otherwise.
int coordinate_count(BeamField field, int elements) {
  return field == BeamField::bend_y || field == BeamField::bend_z ? 2 * elements : elements;
}

// modes: 3 of each field, or {y: 3, twist: 1}: of those named.
std::vector<Beam::Motion> read_motions(const MapReader& map, const std::string& plane, int elements, Reading& reading) {
  std::vector<Beam::Motion> motions;
  for (BeamField field : moving_fields(plane, map.flag("axial").value_or(false))) motions.push_back({field, 0});
  const YamlNode* node = map.find("modes");
  if (!node) return motions;
  if (!node->is_map()) {
    const int modes = read_count(map, "modes", 1, 1, 2 * elements, reading);
    for (Beam::Motion& motion : motions) motion.modes = std::min(modes, coordinate_count(motion.field, elements));
    return motions;
  }
  const MapReader counts(*node, keys_of("beam modes"), map.path("modes"), reading);
  constexpr const char* words[] = {"y", "z", "twist", "stretch"};
  for (int k = 0; k < 4; ++k) {
    const auto field = static_cast<BeamField>(k);
    const auto found = std::find_if(motions.begin(), motions.end(), [&](const auto& m) { return m.field == field; });
    const int modes = read_count(counts, words[k], 0, 0, coordinate_count(field, elements), reading);
    if (modes > 0 && found == motions.end())
      reading.diagnostics.add(counts.find(words[k])->where, counts.path(words[k]), "the beam has no such motion");
    else if (modes > 0)
      found->modes = modes;
    else if (found != motions.end())
      motions.erase(found);
  }
  return motions;
}

void read_shear_modulus(const MapReader& map, Beam& beam, Reading& reading) {
  beam.shear_modulus = map.formula("G");
  const Formula nu = map.formula("nu");
  if (map.has("G") && map.has("nu"))
    reading.diagnostics.add(map.find("nu")->where, map.path("nu"), "give G or nu, not both");
  if (!map.has("G") && nu.given())
    beam.shear_modulus =
        with_loop_values(parse_formula("E/(2*(1 + nu))", nu.where), {{"E", beam.youngs_modulus}, {"nu", nu}});
  const bool twists = std::any_of(beam.motions.begin(), beam.motions.end(),
                                  [](const auto& motion) { return motion.field == BeamField::twist; });
  if (twists && !map.has("G") && !map.has("nu"))
    reading.diagnostics.add(map.where(), map.path("G"), "the beam twists: give G or nu");
}

// What only a beam of the other theory has.
void refuse_keys(const MapReader& map, bool large, Reading& reading) {
  const std::vector<const char*> others =
      large ? std::vector<const char*>{"modes", "frame", "foreshortening"} : std::vector<const char*>{"arc"};
  for (const char* key : others)
    if (map.has(key))
      reading.diagnostics.add(
          map.find(key)->where, map.path(key),
          large ? "is for small deflections: remove it, or bending: large" : "needs bending: large");
}

// Of small deflections one cubic element, or eight that modes are made of; two elements of a beam that bends far.
int default_elements(const MapReader& map, bool large) { return large ? 2 : map.has("modes") ? 8 : 1; }

}  // namespace

Beam read_beam(const YamlNode& node, const std::string& path, Reading& reading) {
  const MapReader map(node, keys_of("beam"), path, reading);
  const std::string& plane = reading.model.plane;
  if (plane == "yz")
    reading.diagnostics.add(node.where, path, "a beam lies along its x: write plane: xy or xz, or no plane");
  Beam beam;
  beam.planar = !plane.empty();
  beam.length = map.formula("length");
  beam.youngs_modulus = map.formula("E");
  beam.density = map.formula("rho");
  if (const YamlNode* section = map.find("section")) read_beam_section(*section, map.path("section"), beam, reading);
  beam.large = map.choice("bending") == "large";
  refuse_keys(map, beam.large, reading);
  beam.arc = map.formula("arc");
  beam.elements = read_count(map, "elements", default_elements(map, beam.large), 1, 64, reading);
  beam.motions = read_motions(map, plane, beam.elements, reading);
  if (beam.youngs_modulus.given()) read_shear_modulus(map, beam, reading);
  beam.chord = map.choice("frame") == "chord";
  beam.foreshortening = map.flag("foreshortening").value_or(true);
  if (const YamlNode* damping = map.find("damping")) {
    const MapReader given(*damping, keys_of("beam damping"), map.path("damping"), reading);
    beam.mass_damping = given.formula("mass");
    beam.stiffness_damping = given.formula("stiffness");
    beam.damping_ratio = given.formula("ratio");
  }
  return beam;
}

}  // namespace armature::internal
