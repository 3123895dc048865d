#include "integrate/inner_steps.hpp"

#include "integrate/embedded.hpp"

namespace armature {

InnerSteps::InnerSteps(const Tableau& tableau, Ode& ode, const IntegratorOptions& options, long& evaluations)
    : tableau_(tableau), ode_(ode), options_(options), evaluations_(evaluations) {}

InnerSteps::~InnerSteps() = default;

// From the beginning each time: what comes out does not depend on what was asked for before.
bool InnerSteps::reach(double t0, const Eigen::VectorXd& x0, double t1, double t, Eigen::VectorXd& x) {
  options_.first_step = (t1 - t0) / 4;
  Embedded steps(tableau_, ode_, options_);
  steps.start(t0, x0);
  bool ok = true;
  while (ok && steps.t() < t) ok = steps.step(t) == StepStatus::ok;
  evaluations_ += steps.statistics().evaluations;
  if (ok) x = steps.x();
  return ok;
}

}  // namespace armature
