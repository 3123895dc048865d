// Some entries of x over a step, each as a polynomial of u = (t - middle)/h with |u| <= 1/2: what interpolate() evaluates, for
// whoever has to know it between the times that it asks for.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "step/enclosure.hpp"

namespace armature::internal {

class StepPath {
 public:
  static constexpr int most = 13;  // coefficients: Adams' method goes up to order 12
  using Polynomial = std::array<double, most>;

  void begin(double t0, double t1, int order, std::size_t entries) {
    t0_ = t0, t1_ = t1, order_ = order;
    polynomials_.resize(entries);
  }
  double middle() const { return 0.5 * (t0_ + t1_); }
  double length() const { return t1_ - t0_; }
  int order() const { return order_; }
  const Polynomial& operator[](std::size_t entry) const { return polynomials_[entry]; }

  // x = sum_k c_k u^k, up to the order of the path.
  template <class Coefficient>
  void set(std::size_t entry, const Coefficient& c) {
    Polynomial& p = polynomials_[entry];
    for (int k = 0; k <= order_; ++k) p[static_cast<std::size_t>(k)] = c(k);
  }

  // x = sum_k c_k s^k, the form of step_polynomial.hpp, with s = ratio (u - 1/2).
  template <class Coefficient>
  void set_powers(std::size_t entry, double ratio, const Coefficient& c) {
    Polynomial& p = polynomials_[entry];
    p.fill(0);
    double factor = 1;
    for (int k = 0; k <= order_; ++k, factor *= ratio) p[static_cast<std::size_t>(k)] = factor * c(k);
    shift(p, -0.5);
  }

  // The same polynomial of u - by.
  void shift(Polynomial& p, double by) const { step::shift_polynomial(p.data(), order_, by); }

 private:
  double t0_ = 0, t1_ = 1;
  int order_ = 0;
  std::vector<Polynomial> polynomials_;
};

}  // namespace armature::internal
