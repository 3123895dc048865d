// Derivatives of closed forms, by differences of fourth order in 64 bits of mantissa.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>

#include "signal_case.hpp"

namespace armature::internal {

using Real = long double;
inline constexpr Real pi = std::numbers::pi_v<Real>;

// d f/d p_k, an error of 1e-12 of the value.
inline double differentiated(const std::function<Real(const std::vector<Real>&)>& f, std::vector<Real> p,
                             std::size_t k) {
  const Real own = p[k], h = 1e-3L * std::abs(own);
  const auto at = [&](Real shift) {
    p[k] = own + shift;
    return f(p);
  };
  return static_cast<double>((8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h));
}

// All derivatives of the first signal at the times, each to 1e-7 of itself.
inline void expect_closed_form(SignalCase& c, const std::vector<std::string>& names, const std::vector<double>& times,
                               const std::function<Real(const std::vector<Real>&, Real)>& x) {
  ASSERT_EQ(c.missing, "");
  const Eigen::MatrixXd exact = c.derivatives_at(c.own);
  const auto signals = c.values.cols();
  std::vector<Real> p;
  for (const std::string& name : names) p.push_back(c.own[c.place(name)]);
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_NEAR(c.values(static_cast<Eigen::Index>(i), 0), static_cast<double>(x(p, times[i])), 1e-9) << times[i];
    for (std::size_t k = 0; k < names.size(); ++k) {
      const double known = differentiated([&](const std::vector<Real>& q) { return x(q, times[i]); }, p, k);
      EXPECT_NEAR(exact(static_cast<Eigen::Index>(i) * signals, c.place(names[k])), known,
                  1e-7 * std::abs(known) + 1e-12)
          << names[k] << " at " << times[i];
    }
  }
}

}  // namespace armature::internal
