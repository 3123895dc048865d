// Steps of one length on the grid t0 + k step: explicit Runge-Kutta methods and semi-implicit Euler. A stop between two
// grid points is met by a shorter step, and the grid goes on where it was. Dense output is the cubic Hermite
// polynomial.
#pragma once

#include "integrate/integrator.hpp"
#include "integrate/runge_kutta.hpp"
#include "integrate/runge_kutta_step.hpp"

namespace armature {

struct StepGrid {
  double start = 0, step = 1e-3;
  long index = 0;  // of the last grid point passed
  // The next grid point, or t_stop where it comes first. A stop within round-off of a grid point is that grid point.
  double next(double t_stop, bool& on_grid) const;
};

std::string fixed_step_failure(StepStatus status, double t, double step);  // a sentence

class FixedStep : public Integrator {
 public:
  FixedStep(const Tableau& tableau, Ode& ode, const IntegratorOptions& options);

  void start(double t, const Eigen::VectorXd& x) override;
  StepStatus step(double t_stop) override;
  void interpolate(double t, Eigen::VectorXd& x) const override;
  bool path(const std::vector<int>& entries, StepPath& path) const override {
    return method_.path(ends(), entries, path);
  }
  void store(std::vector<double>& numbers) const override;
  MakeStoredStep stored_steps() const override { return runge_kutta_steps(method_.tableau(), {}); }
  bool error_controlled() const override { return false; }

 protected:
  // x1 from x_ and f(t_, x_); false where f cannot be evaluated.
  virtual bool advance(double h, Eigen::VectorXd& x1);

  Ode& ode_;
  mutable RungeKutta method_;

 private:
  void evaluate_slope();
  RungeKutta::Ends ends() const { return {previous_t_, t_, previous_x_, x_, slope_ == Slope::known}; }
  StepStatus fail(StepStatus status, double t);

  StepGrid grid_;
  Eigen::VectorXd x1_, previous_x_;
  // f(t_, x_): the slope of the dense output there, and the first stage of the next step.
  enum class Slope { open, known, not_finite } slope_ = Slope::open;
};

// x = (q, rest):  rest_{n+1} = rest_n + h rate(t_n, q_n, rest_n),  q_{n+1} = q_n + h qdot(t_{n+1}, q_n, rest_{n+1}).
class SemiImplicitEuler : public FixedStep {
 public:
  SemiImplicitEuler(Ode& ode, const IntegratorOptions& options);

 protected:
  bool advance(double h, Eigen::VectorXd& x1) override;

 private:
  Eigen::VectorXd rate_;
};

}  // namespace armature
