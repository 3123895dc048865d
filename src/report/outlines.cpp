#include "report/outlines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace armature::internal::plot {

using std::numbers::pi;

double length_of(const Point& a) { return std::hypot(a.x, a.y); }

Point unit_of(const Point& a) {
  const double length = length_of(a);
  return length > 0 ? Point{a.x / length, a.y / length} : Point{};
}

std::vector<Point> arc(const Point& middle, double radius, double from, double to) {
  const int pieces = std::clamp(static_cast<int>(std::abs(to - from) * std::sqrt(std::abs(radius)) * 2.5) + 2, 3, 96);
  std::vector<Point> points;
  for (int k = 0; k <= pieces; ++k) {
    const double angle = from + (to - from) * k / pieces;
    points.push_back({middle.x + radius * std::cos(angle), middle.y + radius * std::sin(angle)});
  }
  return points;
}

std::vector<Point> circle(const Point& middle, double radius) {
  std::vector<Point> points = arc(middle, radius, 0, 2 * pi);
  points.pop_back();
  return points;
}

std::vector<Point> capsule(const Point& a, const Point& b, double radius) {
  const double angle = std::atan2(b.y - a.y, b.x - a.x);
  std::vector<Point> points = arc(b, radius, angle - pi / 2, angle + pi / 2);
  for (const Point& point : arc(a, radius, angle + pi / 2, angle + 1.5 * pi)) points.push_back(point);
  return points;
}

std::vector<Point> rectangle(const Point& middle, const Point& along, double half_length, double half_width) {
  const Point u = half_length * along, v = half_width * across(along);
  return {middle - u - v, middle + u - v, middle + u + v, middle - u + v};
}

std::vector<Point> convex_outline(std::vector<Point> points) {
  std::ranges::sort(points, [](const Point& a, const Point& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  std::vector<Point> outline;
  const auto add_side = [&](auto begin, auto end) {
    const std::size_t first = outline.size();
    for (auto point = begin; point != end; ++point) {
      const auto turns_right = [&] {
        const Point &a = outline[outline.size() - 2], &b = outline.back();
        return (b.x - a.x) * (point->y - a.y) - (b.y - a.y) * (point->x - a.x) <= 1e-9;
      };
      while (outline.size() >= first + 2 && turns_right()) outline.pop_back();
      outline.push_back(*point);
    }
    outline.pop_back();  // it begins the other side
  };
  if (points.size() < 3) return points;
  add_side(points.begin(), points.end());
  add_side(points.rbegin(), points.rend());
  return outline;
}

std::vector<Point> rounded(const std::vector<Point>& hull, double radius) {
  if (hull.empty()) return {};
  if (hull.size() == 1) return circle(hull[0], radius);
  if (hull.size() == 2) return capsule(hull[0], hull[1], radius);
  std::vector<Point> points;
  for (std::size_t k = 0; k < hull.size(); ++k) {
    const Point &before = hull[(k + hull.size() - 1) % hull.size()], &at = hull[k],
                &after = hull[(k + 1) % hull.size()];
    const double from = std::atan2(at.y - before.y, at.x - before.x) - pi / 2;
    double to = std::atan2(after.y - at.y, after.x - at.x) - pi / 2;
    while (to < from) to += 2 * pi;
    for (const Point& point : arc(at, radius, from, to)) points.push_back(point);
  }
  return points;
}

std::vector<Point> ribbon(const std::vector<Point>& line, double half_width) {
  std::vector<Point> left, right;
  for (std::size_t k = 0; k < line.size(); ++k) {
    const Point along = unit_of(line[std::min(k + 1, line.size() - 1)] - line[k == 0 ? 0 : k - 1]);
    left.push_back(line[k] + half_width * across(along)), right.push_back(line[k] - half_width * across(along));
  }
  left.insert(left.end(), right.rbegin(), right.rend());
  return left;
}

std::string mixed(const std::string& a, const std::string& b, double share_of_b) {
  const unsigned long from = std::stoul(a.substr(1), nullptr, 16), to = std::stoul(b.substr(1), nullptr, 16);
  unsigned long sum = 0;
  for (const int shift : {16, 8, 0}) {
    const double x = static_cast<double>(from >> shift & 255), y = static_cast<double>(to >> shift & 255);
    sum |= static_cast<unsigned long>(std::lround(x + share_of_b * (y - x))) << shift;
  }
  return fmt::format("#{:06x}", sum);
}

}  // namespace armature::internal::plot
