#include "integrate/embedded.hpp"

#include <cassert>
#include <cmath>
#include <limits>

namespace armature {
namespace {

// An error norm that no projection mends: a percent of the state. Less may lie off the manifold altogether: where the
// constraints are nearly singular most of the error does, and small steps would creep up to that place for ever.
double hopeless(double rtol) { return std::max(100.0, 1e-2 / rtol); }

// Below it t no longer moves; at t = 0, where every step moves it, what is nothing against the run.
double smallest_length(double t, double t_stop) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  return 16 * epsilon * std::max(std::abs(t), epsilon * std::abs(t_stop - t));
}

}  // namespace

Embedded::Embedded(const Tableau& tableau, Ode& ode, const IntegratorOptions& options)
    : ode_(ode),
      method_(tableau, ode, statistics_.evaluations),
      tolerance_{options.rtol, options.atol},
      control_(tableau.error_order, options.max_step),
      x1_(ode.size()),
      previous_x_(ode.size()),
      error_(ode.size()),
      work_(ode.size()),
      dense_(ode.size(), static_cast<int>(tableau.D.rows())) {
  assert(tableau.E.rows() > 0 && options.atol.size() == ode.size());
  x_.setZero(ode.size());
  if (options.first_step > 0) control_.set_length(options.first_step);
}

void Embedded::start(double t, const Eigen::VectorXd& x) {
  t_ = previous_t_ = t;
  x_ = previous_x_ = x;
  has_end_ = has_dense_ = false;
  control_.forget_history();
}

StepStatus Embedded::step(double t_stop) {
  assert(t_stop > t_);
  if (!has_end_ && !method_.finish(t_, x_)) return give_up(StepStatus::not_finite);
  method_.shift();
  has_end_ = has_dense_ = false;
  if (!control_.has_length()) control_.set_length(starting_length(t_stop));
  StepStatus result = StepStatus::step_too_small;
  while (control_.length() >= smallest_length(t_, t_stop)) {
    const double h = control_.towards(t_stop - t_), t1 = h == t_stop - t_ ? t_stop : t_ + h;
    result = attempt(t1, h);
    if (result == StepStatus::ok) {
      accept(t1, h);
      return result;
    }
    reject(result, h);
  }
  control_.set_length(0);  // a new start chooses again
  return give_up(result);
}

StepStatus Embedded::attempt(double t1, double h) {
  if (!method_.advance(t_, h, x_, x1_) || !estimate_error(t1, h)) return StepStatus::not_finite;
  if (!(error_norm_ <= hopeless(tolerance_.rtol))) return StepStatus::step_too_small;
  work_ = x1_;
  if (!project(t1)) return StepStatus::projection_failed;
  if (error_norm_ > 1) return StepStatus::step_too_small;
  const bool moved = work_ != x1_;
  if ((moved || !method_.tableau().error_needs_end()) && !method_.finish(t1, x1_)) return StepStatus::not_finite;
  return StepStatus::ok;
}

// With two estimates e5 and e3, the error is e5 |e5| / sqrt(|e5|^2 + 0.01 |e3|^2): of order 8, and safe where one of
// them vanishes by chance (Hairer, Norsett, Wanner, II.10).
bool Embedded::estimate_error(double t1, double h) {
  if (method_.tableau().error_needs_end() && !method_.finish(t1, x1_)) return false;
  method_.estimate(0, h, error_);
  error_norm_ = tolerance_.norm(error_, x_, x1_);
  if (method_.tableau().E.rows() == 1 || error_norm_ == 0 || !std::isfinite(error_norm_)) return true;
  method_.estimate(1, h, work_);
  const double ratio = error_norm_ / std::hypot(error_norm_, 0.1 * tolerance_.norm(work_, x_, x1_));
  error_ *= ratio;
  error_norm_ *= ratio;
  return true;
}

bool Embedded::project(double t1) {
  ++statistics_.projections;
  if (!ode_.project(t1, x1_.data(), error_.data())) return false;
  error_norm_ = tolerance_.norm(error_, x_, x1_);
  return true;
}

void Embedded::accept(double t1, double h) {
  control_.accept(h, error_norm_);
  previous_x_.swap(x_);
  x_.swap(x1_);
  previous_t_ = t_;
  t_ = t1;
  has_end_ = true;
  count_step(h);
}

void Embedded::reject(StepStatus reason, double h) {
  ++statistics_.rejected;
  if (reason == StepStatus::step_too_small && std::isfinite(error_norm_))
    control_.reject(h, error_norm_);
  else
    control_.fail(h);
}

// A length at which an Euler step, and then the method's own leading term, would change x by about a hundredth of its
// scale: Hairer, Norsett, Wanner, II.4. Second derivatives come from one Euler step.
double Embedded::starting_length(double t_stop) {
  const double span = t_stop - t_;
  work_ = method_.first();
  const double size = tolerance_.norm(x_, x_, x_), rate = tolerance_.norm(work_, x_, x_);
  const double h0 = std::min(span, size < 1e-5 || rate < 1e-5 ? 1e-6 * span : 0.01 * size / rate);
  x1_ = x_ + h0 * work_;
  if (!std::isfinite(h0) || !method_.finish(t_ + h0, x1_)) return 1e-6 * span;
  work_ = (method_.last() - work_) / h0;
  const double largest = std::max(rate, tolerance_.norm(work_, x_, x_));
  const double h1 = largest <= 1e-15 ? std::max(1e-6 * span, 1e-3 * h0)
                                     : std::pow(0.01 / largest, 1.0 / method_.tableau().error_order);
  return std::min({100 * h0, h1, span});
}

void Embedded::interpolate(double t, Eigen::VectorXd& x) const {
  if (t == t_) {
    x = x_;
    return;
  }
  if (!has_dense_) method_.interpolant(previous_t_, t_ - previous_t_, previous_x_, x_, dense_);
  has_dense_ = true;
  dense_.evaluate(t, x);
}

}  // namespace armature
