#include "report/symbol_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace armature::internal::plot {
namespace {

using std::numbers::pi;

constexpr double thin = 0.26;  // width of lines

Corner polar(double radius, double angle) { return {0, radius * std::cos(angle), radius * std::sin(angle)}; }

std::vector<Corner> arc_of(double radius, double from, double to, int pieces) {
  std::vector<Corner> corners;
  for (int k = 0; k <= pieces; ++k) corners.push_back(polar(radius, from + (to - from) * k / pieces));
  return corners;
}

}  // namespace

SymbolShape operator+(SymbolShape a, const SymbolShape& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

SymbolShape beside(SymbolShape shape, double units) {
  for (SymbolPart& part : shape)
    for (Corner& corner : part.corners) corner.across += units;
  return shape;
}

SymbolPart line(std::vector<Corner> corners, const std::string& color, double width) {
  return {SymbolPart::line, std::move(corners), color, "", width};
}

SymbolPart round_line(double radius_m, double radius, int turns, const std::string& color, double width) {
  SymbolPart part = line({{0, radius, 0, radius_m, 0}}, color, width);
  part.turns = turns;
  return part;
}

SymbolPart area(std::vector<Corner> corners, const std::string& color, const std::string& edge) {
  return {SymbolPart::area, std::move(corners), color, edge};
}

std::vector<Corner> corners_of(const SymbolPart& part) {
  if (part.turns == 0) return part.corners;
  const int pieces = std::max(72, 16 * part.turns);
  const Corner& radius = part.corners[0];
  std::vector<Corner> corners;
  for (int k = 0; k <= pieces; ++k) {
    const double share = static_cast<double>(k) / pieces, angle = 2 * pi * part.turns * share;
    const double c = std::cos(angle), s = std::sin(angle);
    corners.push_back({share, radius.along * c, radius.along * s, radius.along_m * c, radius.along_m * s});
  }
  return corners;
}

SymbolPart disc(double radius, const std::string& color, const std::string& edge) {
  return {SymbolPart::circle, {}, color, edge, radius};
}

SymbolPart rod(double radius, const std::string& color) { return {SymbolPart::rod, {}, color, "ink", radius}; }

SymbolPart hatch(const Corner& from, const Corner& to, const Corner& away) {
  return {SymbolPart::hatch, {from, to, away}, "metal"};
}

SymbolPart letter(const Corner& from, const Corner& edge) { return {SymbolPart::letter, {from, edge}, "mark"}; }

SymbolPart block(double half_length, double half_width, const std::string& color, const std::string& edge) {
  const double l = half_length, w = half_width;
  return area({{0, -l, -w}, {0, l, -w}, {0, l, w}, {0, -l, w}}, color, edge);
}

SymbolShape coil(double length, double half_width) {
  const int turns =
      length > 12 ? static_cast<int>(std::min(length / 3, 9.0)) : 4;  // also of a length that is not known
  std::vector<Corner> zigzag{{}, {0.15}};
  for (int k = 0; k < 2 * turns; ++k)
    zigzag.push_back({0.15 + 0.7 * (k + 0.5) / (2 * turns), 0, (k % 2 ? -1 : 1) * half_width});
  zigzag.push_back({0.85}), zigzag.push_back({1});
  return {line(std::move(zigzag), "ink", thin)};
}

SymbolShape dashpot() {
  return {line({{}, {0.35}}, "ink", thin),
          line({{0.65, 0, 1}, {0.35, 0, 1}, {0.35, 0, -1}, {0.65, 0, -1}}, "ink", thin),
          line({{0.5, 0, 0.75}, {0.5, 0, -0.75}}, "ink", 2 * thin), line({{0.5}, {1}}, "ink", thin)};
}

SymbolShape barrel(const std::string& color, const std::string& edge, double half_width, double rod) {
  const double w = half_width;
  return {line({{0.58}, {1}}, edge, rod), area({{0, 0, -w}, {0.58, 0, -w}, {0.58, 0, w}, {0, 0, w}}, color, edge)};
}

SymbolShape joined(double from, double to) {
  return {line({{0, 0, from}, {0, 0, to}}, "ink", thin), line({{1, 0, from}, {1, 0, to}}, "ink", thin)};
}

SymbolShape bushing() {
  std::vector<Corner> wave{{0, -1.9}};
  for (int k = 0; k < 6; ++k) wave.push_back({0, -1.9 + 3.8 * (0.15 + 0.7 * (k + 0.5) / 6), k % 2 ? -0.6 : 0.6});
  wave.push_back({0, 1.9});
  return {disc(2, "pale metal", "ink"), line(std::move(wave), "ink", 0.2), disc(0.7, "paper", "ink")};
}

SymbolShape support() {
  return {area({{0, -0.3}, {0, 2.7, 1.9}, {0, 2.7, -1.9}}, "paper", "metal"),
          hatch({0, 2.7, -2.8}, {0, 2.7, 2.8}, {0, 1, 0})};
}

SymbolShape wall(double half, double away) { return {hatch({0, 0, -half}, {0, 0, half}, {0, away, 0})}; }

SymbolShape torsion_spring(double size) {
  constexpr int pieces = 57;
  constexpr double turns = 2.4, begin = 0.3;
  std::vector<Corner> spiral;
  for (int k = 0; k <= pieces; ++k)
    spiral.push_back(polar(size * (0.9 + 2.0 * k / pieces), begin + 2 * pi * turns * k / pieces));
  return {line(std::move(spiral), "ink", 0.24 * size)};
}

// A cup along a circle about the joint, and a piston in it.
SymbolShape torsion_damper(double inner, double size) {
  const double half = 1.1 / inner, outer = inner + 1.5;
  std::vector<Corner> cup = arc_of(size * inner, half, -half, 6);
  for (const Corner& corner : arc_of(size * outer, -half, half, 6)) cup.push_back(corner);
  return {line(std::move(cup), "ink", 0.24 * size),
          line({polar(size * (inner + 0.25), 0), polar(size * (outer - 0.25), 0)}, "ink", 0.5 * size),
          line(arc_of(size * (inner + outer) / 2, 0, 1.8 * half, 8), "ink", 0.24 * size)};
}

SymbolShape brake_shoe(double radius_m, double units, bool on_ground) {
  const double half = std::min(0.6, 4 / units);
  const auto rim = [&](double beyond, double share) {
    const double angle = half * share;
    Corner corner = polar(radius_m > 0 ? beyond : units + beyond, angle);
    corner.along_m = radius_m * std::cos(angle), corner.across_m = radius_m * std::sin(angle);
    return corner;
  };
  std::vector<Corner> shoe;
  for (int k = 0; k <= 12; ++k) shoe.push_back(rim(0.2, k / 6.0 - 1));
  for (int k = 12; k >= 0; --k) shoe.push_back(rim(1.4, k / 6.0 - 1));
  SymbolShape shape{area(std::move(shoe), "metal", "ink")};
  for (int k = 0; on_ground && k <= 6; ++k)
    shape.push_back(line({rim(1.4, k / 3.0 - 1), rim(2.3, k / 3.0 - 0.85)}, "metal", 0.18));
  return shape;
}

SymbolShape motor() { return {disc(2.1, "pale mark", "mark"), letter({}, {0, 2.1})}; }

// Counter-clockwise, open below, where the support is.
SymbolShape turning_arrow() {
  constexpr double radius = 3.3, begin = 0.2 * pi, end = begin - 1.35 * pi;
  std::vector<Corner> way = arc_of(radius, begin, end + 1.2 / radius, 20);
  const Corner tip = polar(radius, end), back = way.back();
  const double x = tip.along - back.along, y = tip.across - back.across, length = std::hypot(x, y);
  const auto beside = [&](double side) {
    return Corner{0, tip.along - (1.6 * x + side * y) / length, tip.across - (1.6 * y - side * x) / length};
  };
  return {line(std::move(way), "mark", 0.32), area({tip, beside(0.75), beside(-0.75)}, "mark", "")};
}

SymbolShape arrow(double length, const std::string& color, double width) {
  const double head = std::min(1.9, 0.6 * length), base = length - head;
  return {line({{}, {0, base}}, color, width),
          area({{0, length}, {0, base, 0.42 * head}, {0, base, -0.42 * head}}, color, "")};
}

}  // namespace armature::internal::plot
