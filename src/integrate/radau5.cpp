#include "integrate/radau5.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "integrate/polynomial_step.hpp"
#include "step/regularity.hpp"
#include "step/step_control.hpp"

namespace armature::internal {
namespace {

constexpr int radau_order = 4;  // of the polynomial
constexpr double safety = 0.9, shrink_most = 1.0 / 5, grow_most = 8, stretch = 1.01;
constexpr double fast_contraction = 0.02;  // of the iteration: the Jacobian serves on
constexpr double worth_factoring = 1.2;    // a length that would grow by less is kept, with its factors

// The estimate is O(h^4), the error of the step O(h^6): of a tolerance r, 0.1 r^(2/3) is left to the estimate, so that errors of
// whole motions go with r (Hairer, Wanner, IV.8).
Tolerance of_estimate(const IntegratorOptions& options) {
  const double rtol = 0.1 * std::pow(options.rtol, 2.0 / 3);
  return {rtol, options.atol * (rtol / options.rtol)};
}

}  // namespace

Radau5::Radau5(Ode& ode, const IntegratorOptions& options)
    : ode_(ode),
      tolerance_(of_estimate(options)),
      max_step_(options.max_step > 0 ? options.max_step : step::infinity),
      first_step_(options.first_step),
      stages_(ode, tolerance_, statistics_.evaluations),
      polynomial_(ode.size(), radau_order) {
  assert(options.atol.size() == ode.size());
  for (auto* vector : {&x_, &xdot_, &xdot1_, &x1_, &error_, &estimate_, &work_}) vector->setZero(ode.size());
}

void Radau5::start(double t, const Eigen::VectorXd& x) {
  t_ = previous_t_ = t;
  x_ = x;
  stages_.forget();
  stages_.stay_on_manifold(false);
  has_xdot_ = has_jacobian_ = rejected_ = false;
  last_ = 0;
}

StepStatus Radau5::step(double t_stop) {
  assert(t_stop > t_);
  if (!has_xdot_) {
    bool near = false;
    if (!evaluate(t_, x_, xdot_, near)) return give_up(StepStatus::not_finite);
    stages_.stay_on_manifold(near);
    has_xdot_ = true;
  }
  if (length_ == 0) length_ = std::min(max_step_, first_step_ > 0 ? first_step_ : first_length(t_stop - t_));
  reason_ = StepStatus::step_too_small;
  for (;;) {
    if (!(length_ >= step::smallest_step_length(t_, t_stop))) {
      length_ = 0;  // a new start chooses again
      return give_up(reason_);
    }
    const double remaining = t_stop - t_, h = towards(remaining), t1 = h == remaining ? t_stop : t_ + h;
    switch (attempt(t1, h)) {
      case Attempt::accepted: return accept(t1, h), StepStatus::ok;
      case Attempt::stopped: return message_ = "stopped", StepStatus::solver_failed;
      case Attempt::rejected: ++statistics_.rejected, rejected_ = true; break;
    }
  }
}

bool Radau5::evaluate(double t, const Eigen::VectorXd& x, Eigen::VectorXd& xdot, bool& near) {
  ++statistics_.evaluations;
  if (!ode_.derivative(t, x.data(), xdot.data())) return false;
  near = ode_.regularity() < step::Regularity::near;
  if (!near) return true;
  ++statistics_.evaluations;
  return ode_.derivative_on_manifold(t, x.data(), xdot.data());
}

// An Euler step of this length changes x by a hundredth of its size.
double Radau5::first_length(double span) {
  const double size = tolerance_.norm(x_, x_, x_), rate = tolerance_.norm(xdot_, x_, x_);
  const double h = size < 1e-5 || rate * span < 1e-5 || !std::isfinite(rate) ? 1e-6 * span : 0.01 * size / rate;
  return std::min(h, span);
}

double Radau5::towards(double remaining) const {
  if (remaining <= stretch * length_ && remaining <= max_step_) return remaining;
  return remaining < 2 * length_ ? remaining / 2 : length_;
}

Radau5::Attempt Radau5::attempt(double t1, double h) {
  if (!make_matrices(h)) return reason_ == StepStatus::solver_failed ? Attempt::stopped : Attempt::rejected;
  stages_.extrapolate(last_ > 0 ? h / last_ : 0);
  return solve_stages(h) && pass_error_test(t1, h) ? Attempt::accepted : Attempt::rejected;
}

bool Radau5::make_matrices(double h) {
  // The Jacobian, where the last one is too old; without a finite one a shorter step may find it.
  if (!has_jacobian_) {
    has_jacobian_ = stages_.take_jacobian(t_, x_, xdot_);
    statistics_.jacobians += stages_.jacobian_is_exact();
    jacobian_is_new_ = true, factored_ = 0;
    if (!has_jacobian_) return length_ = h / 4, reason_ = StepStatus::not_finite, false;
  }
  // Both matrices belong to this length of the step.
  if (factored_ == h) return true;
  factored_ = 0;
  switch (stages_.factor(h)) {
    case DenseLu::Result::stopped: return reason_ = StepStatus::solver_failed, false;
    case DenseLu::Result::singular: return length_ = h / 2, false;
    case DenseLu::Result::done: break;
  }
  factored_ = h;
  return true;
}

// Near a singular pose the same step is taken on the manifold. Stages that are not found are worth the attempt further away.
bool Radau5::solve_stages(double h) {
  const RadauStages::Result result = stages_.solve(t_, x_, h);
  const bool found = result == RadauStages::Result::converged;
  if (!stages_.stays_on_manifold() &&
      stages_.regularity() < (found ? step::Regularity::near : step::Regularity::regular)) {
    stages_.stay_on_manifold(true);
    return has_jacobian_ = false;
  }
  if (found) return true;
  // Newton's method that diverges tells how much shorter the step must be; stages without a value do not.
  const bool diverges = result == RadauStages::Result::diverges;
  length_ = diverges ? h * stages_.shorten() : h / 4;
  reason_ = diverges ? StepStatus::step_too_small : StepStatus::not_finite;
  has_jacobian_ = jacobian_is_new_;
  return false;
}

// The first step after a start, and one after a rejected one, may see an estimate that is far too large where x0 is off the
// slow motion: f at x0 plus the estimate gives a better one.
bool Radau5::pass_error_test(double t1, double h) {
  stages_.estimate(h, xdot_, estimate_);
  x1_ = x_ + stages_.Z().col(2);
  norm_ = tolerance_.norm(estimate_, x_, x1_);
  if (norm_ >= 1 && (last_ == 0 || rejected_) && std::isfinite(norm_)) {
    work_ = x_ + estimate_;
    if (stages_.derivative(t_, work_, xdot1_.data())) stages_.estimate(h, xdot1_, estimate_);
    norm_ = tolerance_.norm(estimate_, x_, x1_);
  }
  error_ = estimate_;
  // Not hopeless: the end is projected, and the error measured again on the manifold.
  if (norm_ <= step::hopeless_error(tolerance_.rtol)) {
    ++statistics_.projections;
    if (!ode_.project(t1, x1_.data(), error_.data()))
      return length_ = h / 4, reason_ = StepStatus::projection_failed, false;
    norm_ = tolerance_.norm(error_, x_, x1_);
  }
  if (norm_ <= 1) {
    if (evaluate(t1, x1_, xdot1_, ends_near_)) return true;
    return length_ = h / 4, reason_ = StepStatus::not_finite, false;
  }
  // Too large: the next length by the order of the estimate. A Jacobian that still converges fast is kept.
  reason_ = StepStatus::step_too_small;
  length_ = std::isfinite(norm_)
                ? h * std::clamp(safety * std::pow(norm_, -0.25), last_ == 0 ? 0.1 : shrink_most, safety)
                : h / 4;
  has_jacobian_ = jacobian_is_new_ || stages_.contraction() <= fast_contraction;
  return false;
}

void Radau5::accept(double t1, double h) {
  make_polynomial(t1, h);
  // fewer iterations left to spare make the next step shorter
  constexpr int most = RadauStages::most_iterations;
  const double iterations = safety * (1 + 2 * most) / (std::min(stages_.iterations(), most) + 2 * most);
  const double size = std::max(norm_, 1e-10);
  double factor = std::clamp(std::min(safety, iterations) * std::pow(size, -0.25), shrink_most, grow_most);
  if (last_ > 0)
    factor = std::min(
        factor, std::clamp(safety * h / last_ * std::pow(size * size / last_error_, -0.25), shrink_most, grow_most));
  if (rejected_) factor = std::min(factor, 1.0);
  const bool fast = stages_.contraction() <= fast_contraction;
  if (fast && factor >= 1 && factor <= worth_factoring) factor = 1;
  length_ = std::min(max_step_, h < length_ ? std::max(length_, h * factor) : h * factor);
  last_ = h, last_error_ = std::max(norm_, 1e-2);
  has_jacobian_ = fast && !stages_.stays_on_manifold() && !ends_near_, jacobian_is_new_ = false, rejected_ = false;
  stages_.stay_on_manifold(ends_near_);
  stages_.keep();
  previous_t_ = t_, t_ = t1;
  x_ = x1_;
  xdot_.swap(xdot1_);
  count_step(h);
}

void Radau5::make_polynomial(double t1, double h) {
  const RadauMethod& m = RadauMethod::get();
  polynomial_.begin(t1, h, radau_order);
  auto C = polynomial_.coefficients();  // in powers of r = s - 1
  C.leftCols(4).noalias() = stages_.Z().lazyProduct(m.basis.transpose());
  // s^4/4 - 3/5 s^3 + 9/20 s^2 - s/10 = r^4/4 + 2/5 r^3 + 3/20 r^2
  const double raise = -10 * m.gamma;
  C.col(2) += 0.15 * raise * estimate_;
  C.col(3) += 0.4 * raise * estimate_;
  C.col(4) = 0.25 * raise * estimate_;
  // 3 s^2 - 2 s^3 = 1 - 3 r^2 - 2 r^3
  work_ = x1_ - (x_ + stages_.Z().col(2));
  C.col(2) -= 3 * work_;
  C.col(3) -= 2 * work_;
  C.col(0) = x1_;
}

void Radau5::interpolate(double t, Eigen::VectorXd& x) const {
  if (t == t_)
    x = x_;
  else
    polynomial_.evaluate(t, x);
}

bool Radau5::path(const std::vector<int>& entries, StepPath& path) const {
  polynomial_.path(previous_t_, entries, path);
  return true;
}

void Radau5::store(std::vector<double>& numbers) const { PolynomialStep::store(*this, polynomial_, numbers); }

MakeStoredStep Radau5::stored_steps() const {
  return [size = static_cast<int>(x_.size())](Ode&) {
    return std::make_unique<PolynomialStep>(size, radau_order, nullptr);
  };
}

std::unique_ptr<Integrator> make_radau5(Ode& ode, const IntegratorOptions& options) {
  return std::make_unique<Radau5>(ode, options);
}

}  // namespace armature::internal
