// A stored step of an explicit Runge-Kutta method.
#pragma once

#include "integrate/runge_kutta.hpp"
#include "integrate/step.hpp"

namespace armature {

class RungeKuttaStep final : public StoredStep {
 public:
  // ode: the same f, for the stages that dense output adds.
  RungeKuttaStep(const Tableau& tableau, Ode& ode)
      : method_(tableau, ode, evaluations_), previous_x_(Eigen::VectorXd::Zero(ode.size())) {
    x_ = previous_x_;
  }

  const double* load(const double* numbers) override {
    const RungeKutta::Loaded loaded = method_.load(numbers, previous_x_, x_);
    previous_t_ = loaded.t0, t_ = loaded.t1, has_slope_ = loaded.has_slope;
    return loaded.end;
  }
  void interpolate(double t, Eigen::VectorXd& x) const override {
    method_.interpolate({previous_t_, t_, previous_x_, x_, has_slope_}, t, x);
  }
  long evaluations() const override { return evaluations_; }

 private:
  long evaluations_ = 0;
  mutable RungeKutta method_;
  Eigen::VectorXd previous_x_;
  bool has_slope_ = false;
};

// tableau: kept by reference.
inline MakeStoredStep runge_kutta_steps(const Tableau& tableau) {
  return [&tableau](Ode& ode) { return std::make_unique<RungeKuttaStep>(tableau, ode); };
}

}  // namespace armature
