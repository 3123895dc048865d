// Piecewise polynomials: linear interpolation, natural and periodic cubic splines.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "expression/graph.hpp"

namespace armature::internal {

double Table::wrapped(double x) const {
  const double period = knots.back() - knots.front(), turns = std::floor((x - knots.front()) / period);
  return std::clamp(x - turns * period, knots.front(), knots.back());
}

double Table::evaluate(double x, int derivative) const {
  if (derivative > 3) return 0;
  if (repeat)
    x = wrapped(x);
  else if (hold && (x < knots.front() || x > knots.back())) {
    if (derivative > 0) return 0;
    x = std::clamp(x, knots.front(), knots.back());
  }
  auto above = std::upper_bound(knots.begin() + 1, knots.end() - 1, x);
  std::size_t piece = static_cast<std::size_t>(above - knots.begin()) - 1;
  const auto& c = coefficients[piece];
  double s = x - knots[piece];
  switch (derivative) {
    case 0: return c[0] + s * (c[1] + s * (c[2] + s * c[3]));
    case 1: return c[1] + s * (2 * c[2] + s * 3 * c[3]);
    case 2: return 2 * c[2] + s * 6 * c[3];
    default: return 6 * c[3];
  }
}

Table Table::linear(std::vector<double> x, std::vector<double> y) {
  assert(x.size() == y.size() && x.size() >= 2);
  Table table;
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    table.coefficients.push_back({y[i], (y[i + 1] - y[i]) / (x[i + 1] - x[i]), 0, 0});
  table.knots = std::move(x);
  return table;
}

namespace {

// The pieces of a cubic spline from its second derivatives m at the knots.
std::vector<std::array<double, 4>> pieces(const std::vector<double>& x, const std::vector<double>& y,
                                          const std::vector<double>& m) {
  std::vector<std::array<double, 4>> all;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double h = x[i + 1] - x[i], d = (y[i + 1] - y[i]) / h;
    all.push_back({y[i], d - h * (2 * m[i] + m[i + 1]) / 6, m[i] / 2, (m[i + 1] - m[i]) / (6 * h)});
  }
  return all;
}

// A tridiagonal system: lower[i] s[i-1] + middle[i] s[i] + upper[i] s[i+1] = right[i]. Diagonally dominant, so without pivots.
std::vector<double> solve_tridiagonal(const std::vector<double>& lower, std::vector<double> middle,
                                      const std::vector<double>& upper, std::vector<double> right) {
  const std::size_t n = middle.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double share = lower[i] / middle[i - 1];
    middle[i] -= share * upper[i - 1];
    right[i] -= share * right[i - 1];
  }
  for (std::size_t i = n; i-- > 0;) right[i] = (right[i] - (i + 1 < n ? upper[i] * right[i + 1] : 0.0)) / middle[i];
  return right;
}

}  // namespace

// Second derivatives m_i at the knots solve the tridiagonal system
//   h_{i-1} m_{i-1} + 2 (h_{i-1} + h_i) m_i + h_i m_{i+1} = 6 (d_i - d_{i-1}),   m_0 = m_n = 0,   d_i: slope of piece i.
Table Table::spline(std::vector<double> x, std::vector<double> y) {
  assert(x.size() == y.size() && x.size() >= 2);
  const std::size_t n = x.size();
  std::vector<double> m(n, 0.0), upper(n, 0.0);
  auto h = [&](std::size_t i) { return x[i + 1] - x[i]; };
  auto d = [&](std::size_t i) { return (y[i + 1] - y[i]) / h(i); };
  for (std::size_t i = 1; i + 1 < n; ++i) {
    double pivot = 2 * (h(i - 1) + h(i)) - h(i - 1) * upper[i - 1];
    upper[i] = h(i) / pivot;
    m[i] = (6 * (d(i) - d(i - 1)) - h(i - 1) * m[i - 1]) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 1;) m[i] -= upper[i] * m[i + 1];
  Table table;
  table.coefficients = pieces(x, y, m);
  table.knots = std::move(x);
  return table;
}

// The same equations at every knot, with the last one before the first: m_n = m_0. The corner entries h_{n-1} of this cyclic system are
// taken off the diagonal as a product u v', and put back by the formula of Sherman and Morrison.
Table Table::periodic_spline(std::vector<double> x, std::vector<double> y) {
  assert(x.size() == y.size() && x.size() >= 3);
  y.back() = y.front();
  const std::size_t n = x.size() - 1;
  auto h = [&](std::size_t i) { return x[i % n + 1] - x[i % n]; };
  auto d = [&](std::size_t i) { return (y[i % n + 1] - y[i % n]) / h(i); };
  std::vector<double> lower(n), middle(n), upper(n), right(n), u(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t before = i + n - 1;
    lower[i] = h(before), upper[i] = h(i), middle[i] = 2 * (h(before) + h(i));
    right[i] = 6 * (d(i) - d(before));
  }
  const double corner = lower[0], g = -middle[0];  // u = (g, 0, …, 0, corner), v = (1, 0, …, 0, corner/g)
  u[0] = g, u[n - 1] += corner;
  middle[0] -= g, middle[n - 1] -= corner * corner / g;
  const std::vector<double> s = solve_tridiagonal(lower, middle, upper, right),
                            z = solve_tridiagonal(lower, middle, upper, u);
  const double share = (s[0] + corner / g * s[n - 1]) / (1 + z[0] + corner / g * z[n - 1]);
  std::vector<double> m(n + 1);
  for (std::size_t i = 0; i < n; ++i) m[i] = s[i] - share * z[i];
  m[n] = m[0];
  Table table;
  table.coefficients = pieces(x, y, m);
  table.knots = std::move(x);
  table.hold = false, table.repeat = true;
  return table;
}

}  // namespace armature::internal
