// Steps of one length (step/fixed_step.hpp) of one state: explicit Runge-Kutta methods and semi-implicit Euler.
#pragma once

#include "integrate/dense_step.hpp"
#include "integrate/integrator.hpp"
#include "integrate/runge_kutta_step.hpp"
#include "step/fixed_step.hpp"

namespace armature::internal {

std::string fixed_step_failure(StepStatus status, double t, double t1, double step);  // a sentence

class FixedStep : public Integrator {
 public:
  // positions: of semi-implicit Euler; 0: the method of the tableau. dense: interpolate() will be asked for after every step.
  FixedStep(const Tableau& tableau, Ode& ode, const IntegratorOptions& options, int positions = 0, bool dense = true);

  void start(double t, const Eigen::VectorXd& x) override;
  StepStatus step(double t_stop) override;
  void interpolate(double t, Eigen::VectorXd& x) const override { dense_.interpolate(ends(), t, x); }
  bool path(const std::vector<int>& entries, StepPath& path) const override {
    return dense_.path(ends(), entries, path);
  }
  void store(std::vector<double>& numbers) const override { dense_.store(ends(), numbers); }
  MakeStoredStep stored_steps() const override { return runge_kutta_steps(steps_.method().tableau(), {}); }
  bool error_controlled() const override { return false; }

 private:
  DenseStep::Ends ends() const { return {previous_t_, t_, steps_.previous_x(), steps_.x(), steps_.has_end()}; }

  Ode& ode_;
  double step_;
  std::vector<step::Row<1>> memory_;
  mutable step::FixedStep<1> steps_;
  mutable DenseStep dense_;
};

}  // namespace armature::internal
