#include "integrate/inner_steps.hpp"

#include <algorithm>

#include "integrate/embedded.hpp"

namespace armature::internal {

InnerSteps::InnerSteps(const Tableau& tableau, Ode& ode, const IntegratorOptions& options, long& evaluations)
    : tableau_(tableau), ode_(ode), options_(options), evaluations_(evaluations) {
  constexpr double tighter = 1e-2;  // they pass by a singular pose, which a step of many turns did not even see
  options_.rtol *= tighter, options_.atol *= tighter;
}

InnerSteps::~InnerSteps() = default;

bool InnerSteps::reach(double t0, const double* begin, double t1, double t, Eigen::VectorXd& x) {
  const Eigen::Map<const Eigen::VectorXd> x0(begin, ode_.size());
  // Another step than the last time: its own integration over the step begins anew, with a quarter of it.
  if (places_.empty() || places_.front().t != t0 || end_ != t1 || places_.front().x != x0) {
    places_.assign(1, {t0, x0});
    end_ = t1;
    options_.first_step = (t1 - t0) / 4;
    over_step_ = std::make_unique<Embedded>(tableau_, ode_, options_);
    over_step_->start(t0, places_.front().x);
  }
  // Places are kept as far as they were asked for; between two of them a short integration gives the state at t.
  if (!go_on(t)) return false;
  const auto after = std::find_if(places_.begin(), places_.end(), [&](const Place& place) { return place.t >= t; });
  if (after->t == t) return x = after->x, true;
  const auto before = after - 1;
  options_.first_step = after->t - before->t;
  Embedded there(tableau_, ode_, options_);
  there.start(before->t, before->x);
  while (there.t() < t)
    if (!step(there, t)) return false;
  x = there.x();
  return true;
}

bool InnerSteps::go_on(double t) {
  while (places_.back().t < t) {
    if (!step(*over_step_, end_)) return false;
    places_.push_back({over_step_->t(), over_step_->x()});
  }
  return true;
}

bool InnerSteps::step(Embedded& steps, double until) {
  const long before = steps.statistics().evaluations;
  const bool ok = steps.step(until) == StepStatus::ok;
  evaluations_ += steps.statistics().evaluations - before;
  return ok;
}

}  // namespace armature::internal
