// The polynomial of a method over its last step, around its end:  x(t) = sum_k C_k ((t - t1)/h)^k.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <vector>

#include "integrate/step_path.hpp"

namespace armature::internal {

class StepPolynomial {
 public:
  StepPolynomial(int size, int most_order) : C_(Eigen::MatrixXd::Zero(size, most_order + 1)) {}

  void begin(double t1, double h, int order) { t1_ = t1, h_ = h, order_ = order; }
  // The k-th derivative at t1, for all k up to the order.
  template <class Derivative>
  void set(int k, const Derivative& derivative) {
    double factor = 1;
    for (int i = 1; i <= k; ++i) factor *= h_ / i;
    C_.col(k) = factor * derivative;
  }

  // Or all coefficients at once: a column for each power up to the order.
  auto coefficients() { return C_.leftCols(order_ + 1); }

  void evaluate(double t, Eigen::VectorXd& x) const {
    const double s = (t - t1_) / h_;
    x = C_.col(order_);
    for (int k = order_ - 1; k >= 0; --k) x = s * x + C_.col(k);
  }

  void path(double t0, const std::vector<int>& entries, StepPath& path) const {
    path.begin(t0, t1_, order_, entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i)
      path.set_powers(i, (t1_ - t0) / h_, [&](int k) { return C_(entries[i], k); });
  }

  void store(std::vector<double>& numbers) const {
    for (const double number : {t1_, h_, static_cast<double>(order_)}) numbers.push_back(number);
    numbers.insert(numbers.end(), C_.data(), C_.data() + C_.rows() * (order_ + 1));
  }
  const double* load(const double* numbers) {
    begin(numbers[0], numbers[1], static_cast<int>(numbers[2]));
    const Eigen::Index count = C_.rows() * (order_ + 1);
    std::copy_n(numbers + 3, count, C_.data());
    return numbers + 3 + count;
  }

 private:
  double t1_ = 0, h_ = 1;
  int order_ = 0;
  Eigen::MatrixXd C_;  // one column per power
};

}  // namespace armature::internal
