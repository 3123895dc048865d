#include "integrate/step_control.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "expression/lanes.hpp"

namespace armature {
namespace {

constexpr double safety = 0.9, shrink = 0.2, grow = 6;
constexpr double stretch = 1.01;          // a step may be this much longer if it then meets a stop
constexpr double smallest_memory = 1e-4;  // a step that was far too accurate says little about the next

using Four = double __attribute__((vector_size(32)));
using Signs = std::int64_t __attribute__((vector_size(32)));
using FourAnywhere = double __attribute__((vector_size(32), aligned(8), may_alias));

ARMATURE_INLINE const FourAnywhere& four(const double* x) { return *reinterpret_cast<const FourAnywhere*>(x); }

struct Sum {
  double squares;
  bool finite;  // all scales are
};

// Of n numbers; every fourth square in one of four sums, as in lane_kernels::error_norm.
ARMATURE_VECTOR_WIDTHS Sum sum_of_squares(int n, double rtol, const double* atol, const double* error, const double* x0,
                                          const double* x1) {
  constexpr double smallest = std::numeric_limits<double>::min(), infinite = std::numeric_limits<double>::infinity();
  constexpr std::int64_t all_but_sign = 0x7fffffffffffffffLL;
  Four sum = {};
  Signs good = Signs{} - 1;
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    const Four before = (Four)((Signs)four(x0 + i) & all_but_sign);
    const Four after = (Four)((Signs)four(x1 + i) & all_but_sign);
    const Four scale = four(atol + i) + rtol * (before < after ? after : before);
    const Four ratio = four(error + i) / (scale < smallest ? smallest : scale);
    sum += ratio * ratio;
    good &= scale < infinite;
  }
  double sums[] = {sum[0], sum[1], sum[2], sum[3]};
  bool finite = good[0] & good[1] & good[2] & good[3];
  for (; i < n; ++i) {
    const double scale = atol[i] + rtol * std::max(std::abs(x0[i]), std::abs(x1[i]));
    const double ratio = error[i] / std::max(scale, smallest);
    sums[i % 4] += ratio * ratio;
    finite &= scale < infinite;
  }
  return {(sums[0] + sums[1]) + (sums[2] + sums[3]), finite};
}

}  // namespace

double Tolerance::norm(const Eigen::VectorXd& error, const Eigen::VectorXd& x0, const Eigen::VectorXd& x1) const {
  const auto n = static_cast<int>(error.size());
  const Sum sum = sum_of_squares(n, rtol, atol.data(), error.data(), x0.data(), x1.data());
  const double norm = std::sqrt(sum.squares / std::max(1, n));
  return sum.finite && std::isfinite(norm) ? norm : std::numeric_limits<double>::infinity();
}

StepControl::StepControl(int error_order, double max_step)
    : order_(error_order), max_step_(max_step > 0 ? max_step : std::numeric_limits<double>::infinity()) {
  forget_history();
}

void StepControl::set_length(double h) { length_ = std::min(h, max_step_); }

void StepControl::forget_history() {
  previous_error_ = smallest_memory;
  rejected_ = false;
}

double StepControl::towards(double remaining) const {
  if (remaining <= stretch * length_ && remaining <= max_step_) return remaining;
  if (remaining < 2 * length_) return remaining / 2;
  return length_;
}

void StepControl::accept(double h, double error) {
  error = std::max(error, std::numeric_limits<double>::min());
  double factor = safety * std::pow(error, -0.85 / order_) * std::pow(previous_error_, 0.2 / order_);
  factor = std::clamp(factor, shrink, rejected_ ? 1 : grow);
  if (h < length_) {
    set_length(std::max(length_, h * factor));
  } else {
    set_length(h * factor);
    previous_error_ = std::max(error, smallest_memory);
  }
  rejected_ = false;
}

void StepControl::reject(double h, double error) {
  set_length(h * std::clamp(safety * std::pow(error, -1 / order_), shrink, safety));
  rejected_ = true;
}

void StepControl::fail(double h) {
  set_length(h / 4);
  rejected_ = true;
}

double hopeless_error(double rtol) { return std::max(100.0, 1e-2 / rtol); }

double smallest_step_length(double t, double t_stop) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  return 16 * epsilon * std::max(std::abs(t), epsilon * std::abs(t_stop - t));
}

double starting_step_length(double t, double t_stop, const Eigen::VectorXd& x, const Eigen::VectorXd& slope,
                            const Tolerance& tolerance, int error_order, const Slope& f) {
  const double span = t_stop - t;
  const double size = tolerance.norm(x, x, x), rate = tolerance.norm(slope, x, x);
  const double h0 = std::min(span, size < 1e-5 || rate < 1e-5 ? 1e-6 * span : 0.01 * size / rate);
  const Eigen::VectorXd x1 = x + h0 * slope;
  Eigen::VectorXd change(x.size());
  if (!std::isfinite(h0) || !f(t + h0, x1, change)) return 1e-6 * span;
  change = (change - slope) / h0;
  const double largest = std::max(rate, tolerance.norm(change, x, x));
  const double h1 = largest <= 1e-15 ? std::max(1e-6 * span, 1e-3 * h0) : std::pow(0.01 / largest, 1.0 / error_order);
  return std::min({100 * h0, h1, span});
}

}  // namespace armature
