// A stored step of an explicit Runge-Kutta method.
#pragma once

#include "integrate/inner_steps.hpp"
#include "integrate/runge_kutta.hpp"
#include "integrate/step.hpp"

namespace armature {

// By dense output, or where that is not sound by steps of their own.
inline void interpolate_soundly(RungeKutta& method, InnerSteps& inner, const RungeKutta::Ends& ends, double t,
                                Eigen::VectorXd& x) {
  const bool inside = t != ends.t0 && t != ends.t1;
  if (inside && !method.dense_output_is_sound(ends) && inner.reach(ends.t0, ends.x0, ends.t1, t, x)) return;
  method.interpolate(ends, t, x);
}

class RungeKuttaStep final : public StoredStep {
 public:
  // ode: the same f, for the stages that dense output adds. options: of error control; without tolerances there is none.
  RungeKuttaStep(const Tableau& tableau, Ode& ode, const IntegratorOptions& options)
      : tolerance_{options.rtol, options.atol},
        method_(tableau, ode, evaluations_, options.atol.size() > 0 ? &tolerance_ : nullptr),
        inner_(tableau, ode, options, evaluations_),
        previous_x_(Eigen::VectorXd::Zero(ode.size())) {
    x_ = previous_x_;
  }

  const double* load(const double* numbers) override {
    const RungeKutta::Loaded loaded = method_.load(numbers, previous_x_, x_);
    previous_t_ = loaded.t0, t_ = loaded.t1, has_slope_ = loaded.has_slope;
    inner_.forget();
    return loaded.end;
  }
  void interpolate(double t, Eigen::VectorXd& x) const override {
    interpolate_soundly(method_, inner_, {previous_t_, t_, previous_x_, x_, has_slope_}, t, x);
  }
  bool path(const std::vector<int>& entries, StepPath& path) const override {
    return method_.path({previous_t_, t_, previous_x_, x_, has_slope_}, entries, path);
  }
  long evaluations() const override { return evaluations_; }

 private:
  mutable long evaluations_ = 0;
  Tolerance tolerance_;
  mutable RungeKutta method_;
  mutable InnerSteps inner_;
  Eigen::VectorXd previous_x_;
  bool has_slope_ = false;
};

// tableau: kept by reference.
inline MakeStoredStep runge_kutta_steps(const Tableau& tableau, const IntegratorOptions& options) {
  return [&tableau, options](Ode& ode) { return std::make_unique<RungeKuttaStep>(tableau, ode, options); };
}

}  // namespace armature
