// Error-controlled steps of an embedded Runge-Kutta pair (step/embedded.hpp) of one state.
#pragma once

#include "integrate/dense_step.hpp"
#include "integrate/inner_steps.hpp"
#include "integrate/integrator.hpp"
#include "integrate/runge_kutta_step.hpp"
#include "integrate/stiffness.hpp"
#include "integrate/tolerance.hpp"
#include "step/embedded.hpp"

namespace armature::internal {

class Embedded : public Integrator, public LooksForStiffness {
 public:
  Embedded(const Tableau& tableau, Ode& ode, const IntegratorOptions& options);

  void start(double t, const Eigen::VectorXd& x) override;
  StepStatus step(double t_stop) override;
  void interpolate(double t, Eigen::VectorXd& x) const override { interpolate_soundly(dense_, inner_, ends(), t, x); }
  bool path(const std::vector<int>& entries, StepPath& path) const override {
    return dense_.path(ends(), entries, path);
  }
  void store(std::vector<double>& numbers) const override { dense_.store(ends(), numbers); }
  MakeStoredStep stored_steps() const override { return runge_kutta_steps(steps_.method().tableau(), options_); }
  bool error_controlled() const override { return true; }
  bool ends_with_derivative() const override { return true; }
  const StiffnessTest* stiffness() const override { return &stiffness_; }

 private:
  DenseStep::Ends ends() const { return {previous_t_, t_, steps_.previous_x(), steps_.x(), true}; }
  void look_for_stiffness();

  Ode& ode_;
  IntegratorOptions options_;
  Tolerance tolerance_;
  step::Tolerance<1> of_step_;
  std::vector<step::Row<1>> memory_;
  mutable step::Embedded<1> steps_;
  mutable DenseStep dense_;
  mutable InnerSteps inner_;
  StiffnessTest stiffness_;
  Eigen::VectorXd of_slope_, of_x_;
};

}  // namespace armature::internal
