// Flexible bodies: a beam, its section and its damping.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "model/formula_tree.hpp"
#include "model/read_sections.hpp"

namespace armature {
namespace {

constexpr KeySpec side_spec{"", "", Holds::number, "m", "", Range::positive};

struct Pair {
  Formula first, second;
};

std::optional<Pair> read_sizes(const MapReader& map, const char* key, Reading& reading) {
  const YamlNode* list = map.pair(key);
  if (!list) return std::nullopt;
  Pair sizes{read_formula(list->items[0], map.path(key), reading),
             read_formula(list->items[1], map.path(key), reading)};
  for (const Formula& size : {sizes.first, sizes.second}) reading.check_later(size, map.path(key), side_spec);
  if (!sizes.first.given() || !sizes.second.given()) return std::nullopt;
  return sizes;
}

Formula cubed(const Formula& x) { return x * square(x); }
Formula fourth(const Formula& x) { return square(x) * square(x); }

// I_z = b a^3/12 with a along y and b along z.
void set_rectangle(const Pair& sides, Beam& beam) {
  beam.area = sides.first * sides.second;
  beam.I_z = (1.0 / 12) * sides.second * cubed(sides.first);
  beam.I_y = (1.0 / 12) * sides.first * cubed(sides.second);
}

// A = pi/4 (D^2 - d^2), I = pi/64 (D^4 - d^4)
void set_tube(const Pair& diameters, Beam& beam) {
  constexpr double pi = std::numbers::pi;
  beam.area = (pi / 4) * (square(diameters.first) - square(diameters.second));
  beam.I_y = beam.I_z = (pi / 64) * (fourth(diameters.first) - fourth(diameters.second));
}

void read_section(const YamlNode& node, const std::string& path, Beam& beam, Reading& reading) {
  const MapReader map(node, keys_of("section"), path, reading);
  const bool shape = map.has("rectangle") || map.has("tube");
  if (shape && node.entries.size() > 1) {
    reading.diagnostics.add(node.where, path, "rectangle or tube stands alone; give nothing beside it");
    return;
  }
  if (const auto sides = read_sizes(map, "rectangle", reading)) set_rectangle(*sides, beam);
  if (const auto diameters = read_sizes(map, "tube", reading)) set_tube(*diameters, beam);
  if (shape) return;
  beam.area = map.formula("A"), beam.I_y = map.formula("I_y"), beam.I_z = map.formula("I_z");
  if (!map.has("A")) reading.diagnostics.add(node.where, path, "give rectangle, tube, or A with I_y and I_z");
}

int read_count(const MapReader& map, const char* key, int fallback, int most, Reading& reading) {
  const double count = map.constant(key).value_or(fallback);
  if (count == std::floor(count) && count >= 0 && count <= most) return static_cast<int>(count);
  reading.diagnostics.add(map.find(key)->where, map.path(key),
                          fmt::format("must be a whole number from 1 to {}", most));
  return fallback;
}

}  // namespace

Beam read_beam(const YamlNode& node, const std::string& path, Reading& reading) {
  const MapReader map(node, keys_of("beam"), path, reading);
  Beam beam;
  beam.length = map.formula("length");
  beam.youngs_modulus = map.formula("E");
  beam.density = map.formula("rho");
  if (const YamlNode* section = map.find("section")) read_section(*section, map.path("section"), beam, reading);
  beam.elements = read_count(map, "elements", map.has("modes") ? 8 : 1, 64, reading);
  beam.modes = read_count(map, "modes", 0, 2 * beam.elements, reading);
  beam.chord = map.choice("frame", {"clamped", "chord"}) == "chord";
  beam.foreshortening = map.flag("foreshortening").value_or(true);
  if (const YamlNode* damping = map.find("damping")) {
    const MapReader rayleigh(*damping, keys_of("beam damping"), map.path("damping"), reading);
    beam.mass_damping = rayleigh.formula("mass");
    beam.stiffness_damping = rayleigh.formula("stiffness");
  }
  return beam;
}

}  // namespace armature
