#include "expression/turning_points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace armature::internal {

namespace {

constexpr double least_turn = 1e-6;  // of the table's range: a hump below it is less than rtol of what the table gives
constexpr double reached = 1e-9;     // of the distance between two points; as SampleClock::same_time
constexpr double never = 1e300;

struct Point {
  double x, y;
};

// Where the derivative of a piece vanishes: c1 + 2 c2 s + 3 c3 s^2 = 0 inside (0, length), in order.
void add_flat_places(const std::array<double, 4>& c, double length, double x, std::vector<double>& places) {
  const double a = 3 * c[3], b = c[2], root = std::sqrt(b * b - a * c[1]);  // not a number: there is none
  const double far = b < 0 ? root - b : -root - b;                          // without cancellation
  double s[2] = {far / a, c[1] / far};
  if (s[1] < s[0]) std::swap(s[0], s[1]);
  for (const double each : s)
    if (each > 0 && each < length) places.push_back(x + each);
}

std::vector<Point> monotonic_pieces(const Table& table) {
  std::vector<Point> points;
  for (const double x : monotonic_places(table)) points.push_back({x, table.evaluate(x, 0)});
  return points;
}

// A point is one where the table turns as soon as the table has come back from it by more than `least`. The direction is unknown up to
// the first such change: 0.
std::vector<Point> turns(const std::vector<Point>& points, double least) {
  std::vector<Point> found;
  int direction = 0;
  Point highest = points.front(), lowest = highest;
  for (const Point& point : points) {
    if (point.y > highest.y) highest = point;
    if (point.y < lowest.y) lowest = point;
    if (direction >= 0 && highest.y - point.y > least) {
      if (direction > 0) found.push_back(highest);
      direction = -1, lowest = point;
    } else if (direction <= 0 && point.y - lowest.y > least) {
      if (direction < 0) found.push_back(lowest);
      direction = 1, highest = point;
    }
  }
  return found;
}

// Twice the period shows the turns at its ends too.
std::vector<Point> twice(std::vector<Point> points, double period) {
  const std::size_t count = points.size();
  for (std::size_t i = 1; i < count; ++i) points.push_back({points[i].x + period, points[i].y});
  return points;
}

}  // namespace

std::vector<double> monotonic_places(const Table& table) {
  std::vector<double> places;
  for (std::size_t i = 0; i < table.coefficients.size(); ++i) {
    places.push_back(table.knots[i]);
    add_flat_places(table.coefficients[i], table.knots[i + 1] - table.knots[i], table.knots[i], places);
  }
  places.push_back(table.knots.back());
  return places;
}

std::vector<double> turning_points(const Table& table) {
  const std::vector<Point> points = monotonic_pieces(table);
  const auto [low, high] = std::ranges::minmax(points, {}, &Point::y);
  const double least = least_turn * (high.y - low.y), first = table.knots.front(), period = table.knots.back() - first;
  std::vector<double> found;
  if (!table.repeat) {
    for (const Point& point : turns(points, least)) found.push_back(point.x);
    return found;
  }
  for (const Point& point :
       turns(twice(twice(points, period), 2 * period), least))  // the second of four periods has all of its own
    if (point.x > first + period && point.x <= first + 2 * period) found.push_back(point.x - period);
  return found;
}

Table distance_to_next(const std::vector<double>& points, const Recurrence& recurrence) {
  const double span = recurrence.repeats ? recurrence.period : std::max(points.back() - points.front(), 1.0);
  Table table;
  table.hold = false, table.repeat = recurrence.repeats;
  // A piece from a knot on: what is left to the next point falls by one per unit of the argument.
  const auto add_piece = [&](double knot, double target) {
    table.knots.push_back(knot);
    table.coefficients.push_back({target - knot, -1, 0, 0});
  };
  add_piece(recurrence.repeats ? recurrence.first : points.front() - span, points.front());
  // Just before it is reached a point counts as passed, so that the next one is aimed at.
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double before = points[i] - table.knots.back();
    const double knot =
        points[i] - std::max(reached * before, 4 * std::numeric_limits<double>::epsilon() * std::abs(points[i]));
    if (!(knot > table.knots.back())) continue;
    if (i + 1 < points.size())
      add_piece(knot, points[i + 1]);
    else if (recurrence.repeats)
      add_piece(knot, points.front() + recurrence.period);
    else
      table.knots.push_back(knot), table.coefficients.push_back({never, 0, 0, 0});
  }
  table.knots.push_back(recurrence.repeats ? recurrence.first + recurrence.period : points.back() + span);
  return table;
}

}  // namespace armature::internal
