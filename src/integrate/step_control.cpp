#include "integrate/step_control.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace armature {
namespace {

constexpr double safety = 0.9, shrink = 0.2, grow = 6;
constexpr double stretch = 1.01;          // a step may be this much longer if it then meets a stop
constexpr double smallest_memory = 1e-4;  // a step that was far too accurate says little about the next

}  // namespace

double Tolerance::norm(const Eigen::VectorXd& error, const Eigen::VectorXd& x0, const Eigen::VectorXd& x1) const {
  double sum = 0;
  for (int i = 0; i < error.size(); ++i) {
    const double scale = atol(i) + rtol * std::max(std::abs(x0(i)), std::abs(x1(i)));
    const double ratio = error(i) / std::max(scale, std::numeric_limits<double>::min());
    sum += std::isfinite(scale) ? ratio * ratio : scale;
  }
  const double norm = std::sqrt(sum / std::max<double>(1, static_cast<double>(error.size())));
  return std::isfinite(norm) ? norm : std::numeric_limits<double>::infinity();
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
