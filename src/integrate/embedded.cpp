#include "integrate/embedded.hpp"

#include <cassert>

#include "integrate/one_lane.hpp"

namespace armature::internal {

namespace {

using Numbers = Eigen::Map<const Eigen::VectorXd>;

}  // namespace

Embedded::Embedded(const Tableau& tableau, Ode& ode, const IntegratorOptions& options)
    : ode_(ode),
      options_(options),
      tolerance_{options.rtol, options.atol},
      of_step_(tolerance_.of_step()),
      memory_(static_cast<std::size_t>(step::Embedded<1>::memory(tableau, ode.size()))),
      steps_(tableau, ode.size(), {of_step_, options.first_step, options.max_step}, memory_.data()),
      dense_(steps_.method(), ode, statistics_.evaluations, &of_step_),
      inner_(tableau, ode, options, statistics_.evaluations),
      stiffness_(tableau),
      of_slope_(ode.size()),
      of_x_(ode.size()) {
  assert(tableau.estimates > 0 && options.atol.size() == ode.size());
  x_.setZero(ode.size());
}

void Embedded::start(double t, const Eigen::VectorXd& x) {
  dense_.restart();
  inner_.forget();
  steps_.start(0, t, x.data());
  t_ = previous_t_ = t;
  x_ = x;
}

StepStatus Embedded::step(double t_stop) {
  assert(t_stop > t_);
  OneLane f{ode_};
  step::Tried<1> tried;
  // Attempts of one lane, until one is accepted or given up.
  do tried = steps_.attempt(f, true, {{t_stop}});
  while (!tried.stepped && !tried.failed);
  take_counts(steps_.counts(0));
  if (tried.failed) return give_up(steps_.status(0));
  dense_.begin_step();
  previous_t_ = steps_.previous_t()[0], t_ = steps_.t()[0];
  x_ = Numbers(steps_.x()->lane, steps_.size());
  if (stiffness_.due()) look_for_stiffness();
  count_step(steps_.last_length(0));
  return StepStatus::ok;
}

void Embedded::look_for_stiffness() {
  const auto numbers = [&](const step::Row<1>* rows) { return Numbers(rows->lane, steps_.size()); };
  of_slope_ = numbers(steps_.method().last()) - numbers(steps_.method().last_stage());
  of_x_ = x_ - numbers(steps_.method().stage_x());
  stiffness_.look(steps_.last_length(0), tolerance_, of_slope_, of_x_, x_);
}

}  // namespace armature::internal
