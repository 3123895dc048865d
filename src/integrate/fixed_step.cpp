#include "integrate/fixed_step.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <limits>

namespace armature {

FixedStep::FixedStep(const Tableau& tableau, Ode& ode, const IntegratorOptions& options)
    : ode_(ode),
      method_(tableau, ode, statistics_.evaluations),
      grid_{0, options.step, 0},
      x1_(ode.size()),
      previous_x_(ode.size()) {
  assert(grid_.step > 0);
  x_.setZero(ode.size());
}

void FixedStep::start(double t, const Eigen::VectorXd& x) {
  method_.restart();
  t_ = previous_t_ = grid_.start = t;
  grid_.index = 0;
  x_ = previous_x_ = x;
  slope_ = Slope::open;
}

double StepGrid::next(double t_stop, bool& on_grid) const {
  const double grid = start + static_cast<double>(index + 1) * step;
  const double round_off = 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(start), std::abs(grid));
  on_grid = grid <= t_stop + round_off;
  return grid < t_stop - round_off ? grid : t_stop;
}

StepStatus FixedStep::step(double t_stop) {
  assert(t_stop > t_);
  bool on_grid = false;
  const double t1 = grid_.next(t_stop, on_grid), h = t1 - t_;
  if (slope_ == Slope::open) evaluate_slope();
  if (slope_ != Slope::known) return fail(StepStatus::not_finite, t_);
  method_.shift();
  if (!advance(h, x1_)) return fail(StepStatus::not_finite, t_);
  ++statistics_.projections;
  if (!ode_.project(t1, x1_.data(), nullptr)) return fail(StepStatus::projection_failed, t1);
  previous_x_.swap(x_);
  x_.swap(x1_);
  previous_t_ = t_;
  t_ = t1;
  if (on_grid) ++grid_.index;
  count_step(h);
  evaluate_slope();
  return StepStatus::ok;
}

bool FixedStep::advance(double h, Eigen::VectorXd& x1) { return method_.advance(t_, h, x_, x1); }

void FixedStep::evaluate_slope() { slope_ = method_.finish(t_, x_) ? Slope::known : Slope::not_finite; }

void FixedStep::interpolate(double t, Eigen::VectorXd& x) const { method_.interpolate(ends(), t, x); }

void FixedStep::store(std::vector<double>& numbers) const { method_.store(ends(), numbers); }

StepStatus FixedStep::fail(StepStatus status, double t) {
  message_ = fixed_step_failure(status, t, grid_.step);
  return status;
}

std::string fixed_step_failure(StepStatus status, double t, double step) {
  const char* what = status == StepStatus::projection_failed ? "the state could not be returned to its constraints"
                                                             : "the derivative of the state could not be evaluated";
  return fmt::format("{} at t = {:.10g} s with a step of {:.3g} s; try a smaller step", what, t, step);
}

SemiImplicitEuler::SemiImplicitEuler(Ode& ode, const IntegratorOptions& options)
    : FixedStep(armature::tableau("euler"), ode, options), rate_(ode.size()) {}

bool SemiImplicitEuler::advance(double h, Eigen::VectorXd& x1) {
  const int positions = ode_.position_size(), rest = ode_.size() - positions;
  x1 = x_;
  x1.tail(rest) += h * method_.first().tail(rest);
  ++statistics_.evaluations;
  if (!ode_.derivative(t_ + h, x1.data(), rate_.data())) return false;
  x1.head(positions) += h * rate_.head(positions);
  return true;
}

}  // namespace armature
