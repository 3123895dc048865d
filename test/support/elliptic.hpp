// Jacobi's elliptic functions of u and k (0 <= k < 1) by the arithmetic-geometric mean (Abramowitz and Stegun 16.4): the
// amplitude comes from the descending sequence a, c; four to six terms give round-off.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

namespace armature::internal {

struct Jacobi {
  double sn, cn, dn;
};

inline Jacobi jacobi(double u, double k) {
  std::array<double, 12> a{}, c{};
  a[0] = 1, c[0] = k;
  double b = std::sqrt(1 - k * k);
  int n = 0;
  while (std::abs(c[n]) > 1e-17 && n < 11) {
    a[n + 1] = 0.5 * (a[n] + b), c[n + 1] = 0.5 * (a[n] - b);
    b = std::sqrt(a[n] * b);
    ++n;
  }
  double amplitude = std::ldexp(a[n] * u, n);
  for (int i = n; i > 0; --i) amplitude = 0.5 * (amplitude + std::asin(c[i] / a[i] * std::sin(amplitude)));
  const double sn = std::sin(amplitude);
  return {sn, std::cos(amplitude), std::sqrt(1 - k * k * sn * sn)};
}

// Quarter period K(k).
inline double quarter_period(double k) {
  double a = 1, b = std::sqrt(1 - k * k);
  for (int k = 0; k < 8; ++k) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b), a = mean;
  }
  return std::numbers::pi / (2 * a);
}

}  // namespace armature::internal
