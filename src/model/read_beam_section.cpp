// The cross section of a beam: a shape, or area, second moments and torsion constant.
#include <numbers>

#include "model/formula_tree.hpp"
#include "model/read_sections.hpp"
#include "model/scope.hpp"

namespace armature::internal {
namespace {

constexpr KeySpec side_spec{"", "", Holds::number, "m", "", ValueRange::positive};

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

// First less second; positive where one of them has no value, which is reported when the formulas are checked.
double difference(const Pair& sizes, const Model& model) {
  try {
    return evaluate_constant(sizes.first, model) - evaluate_constant(sizes.second, model);
  } catch (const FormulaError&) {
    return 1;
  }
}

// Saint-Venant: J = a b^3/3 (1 - 192/pi^5 b/a sum tanh(n pi a/2b)/n^5), n = 1, 3, 5, …, with a >= b. The sum of 1/n^5 is
// 31/32 zeta(5); tanh differs from 1 by less than 1e-6 from n = 5 on.
Formula rectangle_torsion(const Pair& sides, const Model& model) {
  const bool ordered = difference(sides, model) >= 0;
  const LoopValues lengths{{"a", ordered ? sides.first : sides.second}, {"b", ordered ? sides.second : sides.first}};
  const char* J =
      "a*b^3/3*(1 - 192/pi^5*(b/a)*(1.00452376279514 - (1 - tanh(pi*a/(2*b))) - (1 - tanh(3*pi*a/(2*b)))/243))";
  return with_loop_values(parse_formula(J, sides.first.where), lengths);
}

// I_z = b a^3/12 with a along y and b along z.
void set_rectangle(const Pair& sides, Beam& beam, const Model& model) {
  beam.area = sides.first * sides.second;
  beam.I_z = (1.0 / 12) * sides.second * cubed(sides.first);
  beam.I_y = (1.0 / 12) * sides.first * cubed(sides.second);
  beam.J = rectangle_torsion(sides, model);
  beam.edge_y = 0.5 * sides.first, beam.edge_z = 0.5 * sides.second;
}

// A = pi/4 (D^2 - d^2), I = pi/64 (D^4 - d^4), J = 2 I
void set_tube(const Pair& diameters, Beam& beam) {
  constexpr double pi = std::numbers::pi;
  beam.area = (pi / 4) * (square(diameters.first) - square(diameters.second));
  beam.I_y = beam.I_z = (pi / 64) * (fourth(diameters.first) - fourth(diameters.second));
  beam.J = beam.I_y + beam.I_z;
  beam.edge_y = beam.edge_z = 0.5 * diameters.first;
  beam.round = true;
}

}  // namespace

void read_beam_section(const YamlNode& node, const std::string& path, Beam& beam, Reading& reading) {
  const MapReader map(node, keys_of("section"), path, reading);
  const bool shape = map.has("rectangle") || map.has("tube");
  if (shape && node.entries.size() > 1) {
    reading.diagnostics.add(node.where, path, "give rectangle or tube alone");
    return;
  }
  if (const auto sides = read_sizes(map, "rectangle", reading)) set_rectangle(*sides, beam, reading.model);
  if (const auto diameters = read_sizes(map, "tube", reading)) {
    if (!(difference(*diameters, reading.model) > 0))
      reading.diagnostics.add(diameters->first.where, map.path("tube"),
                              "is [outer, inner]: the inner diameter must be smaller than the outer one");
    set_tube(*diameters, beam);
  }
  if (shape) return;
  beam.area = map.formula("A"), beam.I_y = map.formula("I_y"), beam.I_z = map.formula("I_z"), beam.J = map.formula("J");
  if (const auto edges = read_sizes(map, "edge", reading)) beam.edge_y = edges->first, beam.edge_z = edges->second;
  if (!map.has("A")) reading.diagnostics.add(node.where, path, "give rectangle, tube, or A with I_y, I_z and J");
  const std::pair<const char*, bool> seen[] = {{"I_z", !beam.planar || reading.model.plane == "xy"},
                                               {"I_y", !beam.planar || reading.model.plane == "xz"},
                                               {"J", !beam.planar}};
  for (const auto& [key, needed] : seen)
    if (needed && !map.has(key))
      reading.diagnostics.add(node.where, path, std::string(key) + " of the section is missing");
}

}  // namespace armature::internal
