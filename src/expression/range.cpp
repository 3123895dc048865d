#include "expression/range.hpp"

#include <algorithm>
#include <cmath>

namespace armature::internal {

namespace {

// One piece of a table, or one of its derivatives, from s0 to s1 behind its knot: around the middle m,
// |p(s) - p(m)| <= sum_k |p^(k)(m)|/k! r^k.
Range of_piece(std::array<double, 4> c, int derivative, double s0, double s1) {
  for (int d = 0; d < derivative; ++d)
    for (std::size_t k = 0; k < c.size(); ++k) c[k] = k + 1 < c.size() ? static_cast<double>(k + 1) * c[k + 1] : 0;
  const double m = 0.5 * (s0 + s1), r = 0.5 * (s1 - s0);
  const double value = c[0] + m * (c[1] + m * (c[2] + m * c[3]));
  const double first = c[1] + m * (2 * c[2] + m * 3 * c[3]), second = c[2] + m * 3 * c[3];
  const double reach = r * (std::abs(first) + r * (std::abs(second) + r * std::abs(c[3])));
  return {value - reach, value + reach};
}

}  // namespace

Range tangent(Range x) {
  if (!x.bounded() || step::ranges::meets(x, 0.5 * step::ranges::pi, step::ranges::pi)) return Range::everything();
  return {std::tan(x.low), std::tan(x.high)};
}

// Monotonic in either argument where x > 0; with a whole exponent everywhere, an even one on either side of zero.
Range power(Range x, Range y) {
  if (y.low == y.high && y.low > 0 && y.low == std::floor(y.low) && x.bounded()) {
    const bool even = std::fmod(y.low, 2) == 0;
    const Range at{std::pow(x.low, y.low), std::pow(x.high, y.low)};
    if (!even) return at;
    return {x.contains(0) ? 0 : std::min(at.low, at.high), std::max(at.low, at.high)};
  }
  if (!(x.low > 0) && !(x.low == 0 && y.low > 0)) return Range::everything();
  const Range low{std::pow(x.low, y.low), std::pow(x.low, y.high)};
  const Range high{std::pow(x.high, y.low), std::pow(x.high, y.high)};
  const auto ordered = [](Range r) { return Range{std::min(r.low, r.high), std::max(r.low, r.high)}; };
  return hull(ordered(low), ordered(high));
}

Range of_table(const Table& table, int derivative, Range x) {
  if (!x.bounded()) return Range::everything();
  const auto& knots = table.knots;
  if (table.repeat) {  // in one period, or else over all of it
    const double low = table.wrapped(x.low), high = low + (x.high - x.low);
    x = high <= knots.back() ? Range{low, high} : Range{knots.front(), knots.back()};
  }
  Range result{table.evaluate(x.low, derivative), table.evaluate(x.low, derivative)};
  result = hull(result, Range::point(table.evaluate(x.high, derivative)));
  if (derivative > 3) return result;
  const double first = table.hold ? knots.front() : std::min(knots.front(), x.low);
  const double last = table.hold ? knots.back() : std::max(knots.back(), x.high);
  if (x.high < first || x.low > last) return result;
  const auto piece_of = [&](double at) {
    return static_cast<std::size_t>(std::upper_bound(knots.begin() + 1, knots.end() - 1, at) - knots.begin()) - 1;
  };
  const double from = std::max(x.low, first), to = std::min(x.high, last);
  for (std::size_t i = piece_of(from); i <= piece_of(to); ++i) {
    const double s0 = i == piece_of(from) ? from : knots[i], s1 = i == piece_of(to) ? to : knots[i + 1];
    result = hull(result, of_piece(table.coefficients[i], derivative, s0 - knots[i], s1 - knots[i]));
  }
  return result;
}

}  // namespace armature::internal
