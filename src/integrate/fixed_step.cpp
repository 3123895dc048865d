#include "integrate/fixed_step.hpp"

#include <fmt/format.h>

#include <cassert>

#include "integrate/one_lane.hpp"

namespace armature::internal {

FixedStep::FixedStep(const Tableau& tableau, Ode& ode, const IntegratorOptions& options, int positions, bool dense)
    : ode_(ode),
      step_(options.step),
      memory_(static_cast<std::size_t>(step::FixedStep<1>::memory(tableau, ode.size()))),
      steps_(tableau, ode.size(), {options.step, dense, positions}, memory_.data()),
      dense_(steps_.method(), ode, statistics_.evaluations, nullptr) {
  assert(options.step > 0);
  x_.setZero(ode.size());
}

void FixedStep::start(double t, const Eigen::VectorXd& x) {
  dense_.restart();
  steps_.start(0, t, x.data());
  t_ = previous_t_ = t;
  x_ = x;
}

StepStatus FixedStep::step(double t_stop) {
  assert(t_stop > t_);
  OneLane f{ode_};
  const step::Tried<1> tried = steps_.attempt(f, true, {{t_stop}});
  take_counts(steps_.counts(0));
  if (tried.failed) {
    message_ = fixed_step_failure(steps_.status(0), t_, steps_.end_tried(0), step_);
    return steps_.status(0);
  }
  dense_.begin_step();
  previous_t_ = steps_.previous_t()[0], t_ = steps_.t()[0];
  x_ = Eigen::Map<const Eigen::VectorXd>(steps_.x()->lane, steps_.size());
  count_step(steps_.last_length(0));
  return StepStatus::ok;
}

std::string fixed_step_failure(StepStatus status, double t, double t1, double step) {
  const bool projection = status == StepStatus::projection_failed;
  return fmt::format("{} at t = {:.10g} s with a step of {:.3g} s; try a smaller step",
                     projection ? "the state could not be returned to its constraints"
                                : "the derivative of the state could not be evaluated",
                     projection ? t1 : t, step);
}

std::unique_ptr<Integrator> make_semi_implicit_euler(Ode& ode, const IntegratorOptions& options) {
  return std::make_unique<FixedStep>(step::euler(), ode, options, ode.position_size());
}

}  // namespace armature::internal
