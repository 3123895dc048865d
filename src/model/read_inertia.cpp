// Inertia of a body: six entries, or a uniform shape of the body's mass m:
//
//   rod of length l along x      0, m l^2/12, m l^2/12
//   box of sides a, b, c         m (b^2 + c^2)/12, …
//   cylinder of radius r, length l   m r^2/2 about its axis, m (3 r^2 + l^2)/12 across
//   sphere of radius r           2/5 m r^2
#include <algorithm>

#include <fmt/format.h>

#include "model/formula_tree.hpp"
#include "model/read_sections.hpp"

namespace armature::internal {
namespace {

Inertia diagonal(const Formula& xx, const Formula& yy, const Formula& zz) {
  Inertia inertia;
  inertia.xx = xx, inertia.yy = yy, inertia.zz = zz;
  inertia.given = true;
  return inertia;
}

Inertia entries_of(const MapReader& map, Inertia::About about) {
  Inertia inertia;
  inertia.about = about;
  inertia.given = true;
  for (auto [key, entry] : {std::pair{"xx", &inertia.xx},
                            {"yy", &inertia.yy},
                            {"zz", &inertia.zz},
                            {"xy", &inertia.xy},
                            {"xz", &inertia.xz},
                            {"yz", &inertia.yz}})
    *entry = map.formula(key);
  return inertia;
}

Inertia rod(const Formula& length, const Formula& mass) {
  const Formula across = (1.0 / 12) * mass * square(length);
  return diagonal(number_formula(0), across, across);
}

Inertia box(const Formula& sides, const Formula& mass) {
  const Formula a = square(component(sides, "x")), b = square(component(sides, "y")), c = square(component(sides, "z"));
  const Formula part = (1.0 / 12) * mass;
  return diagonal(part * (b + c), part * (a + c), part * (a + b));
}

Inertia sphere(const Formula& radius, const Formula& mass) {
  const Formula moment = 0.4 * mass * square(radius);
  return diagonal(moment, moment, moment);
}

std::optional<Inertia> cylinder(const YamlNode& node, const Formula& mass, const std::string& path, Reading& reading) {
  const MapReader map(node, keys_of("cylinder"), path, reading);
  const Formula radius = map.formula("radius"), length = map.formula("length");
  const std::optional<std::string> axis = map.choice("axis");
  if (!radius.given() || !length.given() || !axis) return std::nullopt;
  const Formula along = 0.5 * mass * square(radius);
  const Formula across = (1.0 / 12) * mass * (3 * square(radius) + square(length));
  return diagonal(*axis == "x" ? along : across, *axis == "y" ? along : across, *axis == "z" ? along : across);
}

std::optional<Inertia> shape_of(const MapReader& map, const Formula& mass, Reading& reading) {
  if (const YamlNode* node = map.find("cylinder")) return cylinder(*node, mass, map.path("cylinder"), reading);
  if (const Formula length = map.formula("rod"); length.given()) return rod(length, mass);
  if (const Formula sides = map.formula("box"); sides.given()) return box(sides, mass);
  if (const Formula radius = map.formula("sphere"); radius.given()) return sphere(radius, mass);
  return std::nullopt;
}

// Keys that each say all about an inertia.
const std::vector<std::string> whole_keys{"rod", "box", "cylinder", "sphere", "about_origin"};

}  // namespace

Inertia read_inertia(const YamlNode& node, const Formula& mass, const std::string& path, Reading& reading) {
  if (node.is_text() && node.text == "none") return diagonal(number_formula(0), number_formula(0), number_formula(0));
  const MapReader map(node, keys_of("inertia"), path, reading);
  const bool is_whole =
      std::any_of(whole_keys.begin(), whole_keys.end(), [&](const auto& key) { return map.has(key); });
  if (!is_whole) return entries_of(map, Inertia::About::center);
  if (node.entries.size() > 1) {
    reading.diagnostics.add(node.where, path, fmt::format("give {} alone", one_of(whole_keys)));
    return {};
  }
  if (const YamlNode* about_origin = map.find("about_origin"))
    return entries_of(MapReader(*about_origin, keys_of("inertia").first(6), map.path("about_origin"), reading),
                      Inertia::About::origin);
  if (!mass.given()) return {};
  return shape_of(map, mass, reading).value_or(Inertia{});
}

}  // namespace armature::internal
