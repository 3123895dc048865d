// Outlines in the plane of a picture, and colors between others.
#pragma once

#include <string>
#include <vector>

#include "report/drawing.hpp"

namespace armature::internal::plot {

inline Point operator+(const Point& a, const Point& b) { return {a.x + b.x, a.y + b.y}; }
inline Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y}; }
inline Point operator*(double s, const Point& a) { return {s * a.x, s * a.y}; }
inline Point across(const Point& a) { return {-a.y, a.x}; }
double length_of(const Point& a);
Point unit_of(const Point& a);  // {0, 0} of no length

std::vector<Point> arc(const Point& middle, double radius, double from,
                       double to);  // angles in rad; a negative radius: mirrored
std::vector<Point> circle(const Point& middle, double radius);
std::vector<Point> capsule(const Point& a, const Point& b, double radius);  // a bar with round ends
std::vector<Point> rectangle(const Point& middle, const Point& along, double half_length, double half_width);
std::vector<Point> convex_outline(std::vector<Point> points);  // counter-clockwise, not closed (Andrew 1979)
std::vector<Point> rounded(const std::vector<Point>& hull, double radius);     // a convex outline, wider by the radius
std::vector<Point> ribbon(const std::vector<Point>& line, double half_width);  // around a line

std::string mixed(const std::string& a, const std::string& b, double share_of_b);  // #rrggbb

}  // namespace armature::internal::plot
