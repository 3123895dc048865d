// Piecewise polynomials: linear interpolation and natural cubic splines.
#include <algorithm>
#include <cassert>
#include <utility>

#include "expression/graph.hpp"

namespace armature::internal {

double Table::evaluate(double x, int derivative) const {
  if (derivative > 3) return 0;
  if (hold && (x < knots.front() || x > knots.back())) {
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
  for (std::size_t i = 0; i + 1 < n; ++i)
    table.coefficients.push_back(
        {y[i], d(i) - h(i) * (2 * m[i] + m[i + 1]) / 6, m[i] / 2, (m[i + 1] - m[i]) / (6 * h(i))});
  table.knots = std::move(x);
  return table;
}

}  // namespace armature::internal
