#include "integrate/embedded.hpp"

#include <cassert>
#include <cmath>

namespace armature {

Embedded::Embedded(const Tableau& tableau, Ode& ode, const IntegratorOptions& options)
    : ode_(ode),
      options_(options),
      tolerance_{options.rtol, options.atol},
      method_(tableau, ode, statistics_.evaluations, &tolerance_),
      inner_(tableau, ode, options, statistics_.evaluations),
      control_(tableau.error_order, options.max_step),
      stiffness_(tableau),
      x1_(ode.size()),
      previous_x_(ode.size()),
      error_(ode.size()),
      work_(ode.size()) {
  assert(tableau.E.rows() > 0 && options.atol.size() == ode.size());
  x_.setZero(ode.size());
  if (options.first_step > 0) control_.set_length(options.first_step);
}

void Embedded::start(double t, const Eigen::VectorXd& x) {
  method_.restart();
  inner_.forget();
  t_ = previous_t_ = t;
  x_ = previous_x_ = x;
  has_end_ = false;
  control_.forget_history();
}

StepStatus Embedded::step(double t_stop) {
  assert(t_stop > t_);
  if (!has_end_ && !method_.finish(t_, x_)) return give_up(StepStatus::not_finite);
  method_.shift();
  has_end_ = false;
  if (!control_.has_length()) control_.set_length(starting_length(t_stop));
  StepStatus result = StepStatus::step_too_small;
  while (control_.length() >= smallest_step_length(t_, t_stop)) {
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
  if (!method_.advance(t_, h, x_, x1_)) return StepStatus::not_finite;
  if (const auto done = finish_and_return(t1, h); done != Ode::Finish::nothing) {
    if (error_norm_ > 1) return StepStatus::step_too_small;
    const auto is_short = [&] { return work_ -= x1_, tolerance_.norm(work_, x_, x1_) <= short_way; };
    const bool known = done == Ode::Finish::all || (done == Ode::Finish::all_before && is_short());
    return known || method_.finish(t1, x1_) ? StepStatus::ok : StepStatus::not_finite;
  }
  if (!estimate_error(t1, h)) return StepStatus::not_finite;
  if (!(error_norm_ <= hopeless_error(tolerance_.rtol))) return StepStatus::step_too_small;
  work_ = x1_;
  if (!project(t1)) return StepStatus::projection_failed;
  if (error_norm_ > 1) return StepStatus::step_too_small;
  const bool moved = work_ != x1_;
  if ((moved || !method_.tableau().error_needs_end()) && !method_.finish(t1, x1_)) return StepStatus::not_finite;
  return StepStatus::ok;
}

Ode::Finish Embedded::finish_and_return(double t1, double h) {
  method_.estimate_without_end(0, h, error_);
  if (method_.tableau().E.rows() > 1) weigh_estimates(h);
  work_ = x1_;
  const auto done = method_.finish_and_return(t1, h, x1_, error_);
  if (done == Ode::Finish::nothing) return done;
  ++statistics_.projections;
  error_norm_ = tolerance_.norm(error_, x_, x1_);
  return done;
}

bool Embedded::estimate_error(double t1, double h) {
  if (method_.tableau().error_needs_end() && !method_.finish(t1, x1_)) return false;
  method_.estimate(0, h, error_);
  if (method_.tableau().E.rows() > 1)
    weigh_estimates(h);
  else
    error_norm_ = tolerance_.norm(error_, x_, x1_);
  return true;
}

// With two estimates e5 and e3, the error is e5 |e5| / sqrt(|e5|^2 + 0.01 |e3|^2): of order 8, and safe where one of
// them vanishes by chance (Hairer, Norsett, Wanner, II.10).
void Embedded::weigh_estimates(double h) {
  error_norm_ = tolerance_.norm(error_, x_, x1_);
  if (error_norm_ == 0 || !std::isfinite(error_norm_)) return;
  method_.estimate(1, h, work_);
  const double ratio = error_norm_ / std::hypot(error_norm_, 0.1 * tolerance_.norm(work_, x_, x1_));
  error_ *= ratio;
  error_norm_ *= ratio;
}

bool Embedded::project(double t1) {
  ++statistics_.projections;
  if (!ode_.project(t1, x1_.data(), error_.data())) return false;
  error_norm_ = tolerance_.norm(error_, x_, x1_);
  return true;
}

void Embedded::look_for_stiffness(double h) {
  error_ = method_.last() - method_.last_stage();
  work_ = x1_ - method_.last_stage_x();
  stiffness_.look(h, tolerance_, error_, work_, x1_);
}

void Embedded::accept(double t1, double h) {
  if (stiffness_.due()) look_for_stiffness(h);
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

double Embedded::starting_length(double t_stop) {
  work_ = method_.first();
  const Slope f = [this](double t, const Eigen::VectorXd& x, Eigen::VectorXd& xdot) {
    const bool ok = method_.finish(t, x);
    xdot = method_.last();
    return ok;
  };
  return starting_step_length(t_, t_stop, x_, work_, tolerance_, method_.tableau().error_order, f);
}

void Embedded::interpolate(double t, Eigen::VectorXd& x) const { interpolate_soundly(method_, inner_, ends(), t, x); }

void Embedded::store(std::vector<double>& numbers) const { method_.store(ends(), numbers); }

}  // namespace armature
