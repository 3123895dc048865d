// A stored step of an explicit Runge-Kutta method.
#pragma once

#include "integrate/dense_step.hpp"
#include "integrate/inner_steps.hpp"
#include "integrate/step.hpp"
#include "integrate/tolerance.hpp"

namespace armature::internal {

// By dense output, or where that is not sound by steps of their own.
inline void interpolate_soundly(DenseStep& dense, InnerSteps& inner, const DenseStep::Ends& ends, double t,
                                Eigen::VectorXd& x) {
  const bool inside = t != ends.t0 && t != ends.t1;
  if (inside && !dense.is_sound(ends) && inner.reach(ends.t0, ends.x0->lane, ends.t1, t, x)) return;
  dense.interpolate(ends, t, x);
}

class RungeKuttaStep final : public StoredStep {
 public:
  // ode: the same f, for the stages that dense output adds. options: of error control; without tolerances there is none.
  RungeKuttaStep(const Tableau& tableau, Ode& ode, const IntegratorOptions& options)
      : tolerance_{options.rtol, options.atol},
        of_step_(tolerance_.of_step()),
        memory_(static_cast<std::size_t>(step::RungeKutta<1>::memory(tableau, ode.size()))),
        method_(tableau, ode.size(), memory_.data()),
        dense_(method_, ode, evaluations_, options.atol.size() > 0 ? &of_step_ : nullptr),
        inner_(tableau, ode, options, evaluations_),
        previous_x_(Eigen::VectorXd::Zero(ode.size())) {
    x_ = previous_x_;
  }

  const double* load(const double* numbers) override {
    const DenseStep::Loaded loaded = dense_.load(numbers, row(previous_x_), row(x_));
    previous_t_ = loaded.t0, t_ = loaded.t1, has_slope_ = loaded.has_slope;
    inner_.forget();
    return loaded.end;
  }
  void interpolate(double t, Eigen::VectorXd& x) const override { interpolate_soundly(dense_, inner_, ends(), t, x); }
  bool path(const std::vector<int>& entries, StepPath& path) const override {
    return dense_.path(ends(), entries, path);
  }
  long evaluations() const override { return evaluations_; }

 private:
  static step::Row<1>* row(Eigen::VectorXd& x) { return reinterpret_cast<step::Row<1>*>(x.data()); }
  static const step::Row<1>* row(const Eigen::VectorXd& x) { return reinterpret_cast<const step::Row<1>*>(x.data()); }
  DenseStep::Ends ends() const { return {previous_t_, t_, row(previous_x_), row(x_), has_slope_}; }

  mutable long evaluations_ = 0;
  Tolerance tolerance_;
  step::Tolerance<1> of_step_;
  std::vector<step::Row<1>> memory_;
  mutable step::RungeKutta<1> method_;
  mutable DenseStep dense_;
  mutable InnerSteps inner_;
  Eigen::VectorXd previous_x_;
  bool has_slope_ = false;
};

// tableau: kept by reference.
inline MakeStoredStep runge_kutta_steps(const Tableau& tableau, const IntegratorOptions& options) {
  return [&tableau, options](Ode& ode) { return std::make_unique<RungeKuttaStep>(tableau, ode, options); };
}

}  // namespace armature::internal
