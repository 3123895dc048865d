// States inside a step whose dense output is not sound (RungeKutta::dense_output_is_sound): each is the end of error-controlled
// steps of its own, from the beginning of that step on. Slow, but as accurate as the integration.
#pragma once

#include <memory>

#include "integrate/integrator.hpp"
#include "integrate/tableau.hpp"

namespace armature {

class InnerSteps {
 public:
  // Keeps references to the first two; evaluations of f are counted there.
  InnerSteps(const Tableau& tableau, Ode& ode, const IntegratorOptions& options, long& evaluations);
  ~InnerSteps();

  // x at t, of a step from (t0, x0) to t1. False: it is not to be had.
  bool reach(double t0, const Eigen::VectorXd& x0, double t1, double t, Eigen::VectorXd& x);

 private:
  const Tableau& tableau_;
  Ode& ode_;
  IntegratorOptions options_;
  long& evaluations_;
};

}  // namespace armature
