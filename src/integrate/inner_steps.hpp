// States inside a step whose dense output is not sound (RungeKutta::dense_output_is_sound): each is the end of error-controlled
// steps of its own. Slow, but more accurate than the integration.
//
// From the beginning of the step a second integration goes over it as far as anything was asked for; its steps are kept, and a
// state is reached from the last of them before it. So it does not depend on what else is asked for.
#pragma once

#include <memory>
#include <vector>

#include "integrate/integrator.hpp"
#include "integrate/tableau.hpp"

namespace armature::internal {

class Embedded;

class InnerSteps {
 public:
  // Keeps references but to the options; evaluations of f are counted.
  InnerSteps(const Tableau& tableau, Ode& ode, const IntegratorOptions& options, long& evaluations);
  ~InnerSteps();

  // x at t, of a step from (t0, x0) to t1. False: it is not to be had.
  bool reach(double t0, const double* x0, double t1, double t, Eigen::VectorXd& x);
  void forget() { places_.clear(); }  // f is another one from now on

 private:
  struct Place {
    double t;
    Eigen::VectorXd x;
  };
  bool go_on(double t);  // until places_ lie on both sides of t
  bool step(Embedded& steps, double until);

  const Tableau& tableau_;
  Ode& ode_;
  IntegratorOptions options_;
  long& evaluations_;
  std::unique_ptr<Embedded> over_step_;
  std::vector<Place> places_;  // ends of its steps
  double end_ = 0;
};

}  // namespace armature::internal
