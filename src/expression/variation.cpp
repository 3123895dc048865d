#include "expression/variation.hpp"

#include <algorithm>
#include <cmath>

#include "expression/turning_points.hpp"

namespace armature::internal {

namespace {

// The polynomial of a table from x on, about x.
std::array<double, 4> polynomial_at(const Table& table, double x) {
  const auto above = std::upper_bound(table.knots.begin() + 1, table.knots.end() - 1, x);
  const auto piece = static_cast<std::size_t>(above - table.knots.begin()) - 1;
  const auto& c = table.coefficients[piece];
  const double s = x - table.knots[piece];
  return {c[0] + s * (c[1] + s * (c[2] + s * c[3])), c[1] + s * (2 * c[2] + s * 3 * c[3]), c[2] + 3 * c[3] * s, c[3]};
}

}  // namespace

// On each monotonic piece V is the table itself or its negative, moved to where the piece before ends.
Variation variation(const Table& table) {
  const std::vector<double> places = monotonic_places(table);
  Variation result;
  double so_far = 0;
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    if (!(places[i + 1] > places[i])) continue;
    const double change = table.evaluate(places[i + 1], 0) - table.evaluate(places[i], 0), sign = change < 0 ? -1 : 1;
    const std::array<double, 4> c = polynomial_at(table, places[i]);
    result.table.knots.push_back(places[i]);
    result.table.coefficients.push_back({so_far, sign * c[1], sign * c[2], sign * c[3]});
    so_far += std::abs(change);
  }
  result.table.knots.push_back(places.back());
  if (!table.repeat) return result;
  // what a period adds on the average is the slope; the rest repeats
  result.table.hold = false, result.table.repeat = true;
  result.first = places.front(), result.slope = so_far / (places.back() - places.front());
  for (std::size_t i = 0; i < result.table.coefficients.size(); ++i) {
    result.table.coefficients[i][0] -= result.slope * (result.table.knots[i] - result.first);
    result.table.coefficients[i][1] -= result.slope;
  }
  return result;
}

}  // namespace armature::internal
