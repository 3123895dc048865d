// Error-controlled steps of an embedded Runge-Kutta pair. A step is
//
//     stages -> error estimate -> return to the manifold (state and estimate) -> error test -> accepted or tried again
//
// so that what the projection takes away does not count as an error. f is then evaluated at the projected end, where
// the next step begins, and dense output runs between projected ends (dense_output.hpp).
//
// Mostly the way back is so short that f at the projected end is as good as that at the end itself; then one evaluation
// gives all of it (Ode::finish).
#pragma once

#include "integrate/inner_steps.hpp"
#include "integrate/integrator.hpp"
#include "integrate/runge_kutta.hpp"
#include "integrate/runge_kutta_step.hpp"
#include "integrate/step_control.hpp"
#include "integrate/stiffness.hpp"

namespace armature {

class Embedded : public Integrator, public LooksForStiffness {
 public:
  Embedded(const Tableau& tableau, Ode& ode, const IntegratorOptions& options);

  void start(double t, const Eigen::VectorXd& x) override;
  StepStatus step(double t_stop) override;
  void interpolate(double t, Eigen::VectorXd& x) const override;
  bool path(const std::vector<int>& entries, StepPath& path) const override {
    return method_.path(ends(), entries, path);
  }
  void store(std::vector<double>& numbers) const override;
  MakeStoredStep stored_steps() const override { return runge_kutta_steps(method_.tableau(), options_); }
  bool error_controlled() const override { return true; }
  double next_length() const override { return control_.length(); }
  const StiffnessTest* stiffness() const override { return &stiffness_; }

 private:
  RungeKutta::Ends ends() const { return {previous_t_, t_, previous_x_, x_, true}; }
  // What became of a step: ok, or why it needs to be smaller.
  StepStatus attempt(double t1, double h);
  Ode::Finish finish_and_return(double t1, double h);  // all after the stages at once
  bool estimate_error(double t1, double h);
  void weigh_estimates(double h);
  bool project(double t1);
  void look_for_stiffness(double h);
  void accept(double t1, double h);
  void reject(StepStatus reason, double h);
  double starting_length(double t_stop);

  Ode& ode_;
  IntegratorOptions options_;
  Tolerance tolerance_;
  mutable RungeKutta method_;
  mutable InnerSteps inner_;
  StepControl control_;
  StiffnessTest stiffness_;
  double error_norm_ = 0;
  Eigen::VectorXd x1_, previous_x_, error_, work_;
  bool has_end_ = false;  // f(t_, x_) is known
};

}  // namespace armature
