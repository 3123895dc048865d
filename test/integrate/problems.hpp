// Problems with known solutions that the tests of integrators share.
#pragma once

#include <cmath>
#include <functional>

#include "integrate/integrator.hpp"

namespace armature::internal {

// An Ode made of functions.
class Problem : public Ode {
 public:
  using Derivative = std::function<bool(double t, const double* x, double* xdot)>;
  using Projection = std::function<bool(double t, double* x, double* error)>;
  using Jacobian = std::function<bool(double t, const double* x, Eigen::MatrixXd& J)>;

  Problem(int size, Derivative f) : derivative_of(std::move(f)), size_(size) {}
  int size() const override { return size_; }
  bool derivative(double t, const double* x, double* xdot) override { return derivative_of(t, x, xdot); }
  bool project(double t, double* x, double* error) override { return !projection || projection(t, x, error); }
  int position_size() const override { return positions; }
  bool jacobian(double t, const double* x, Eigen::MatrixXd& J) override {
    return jacobian_of && ++jacobian_calls && jacobian_of(t, x, J);
  }

  Derivative derivative_of;
  Projection projection;
  Jacobian jacobian_of;
  int positions = 0, jacobian_calls = 0;

 private:
  int size_;
};

// Smooth, nonlinear, depending on t, coupled:  u' = u w,  w' = -ln u,  r' = -2 t r^2 u exp(-sin t)
// with the solution  u = exp(sin t),  w = cos t,  r = 1 / (1 + t^2).
inline Problem smooth_problem() {
  return {3, [](double t, const double* x, double* xdot) {
            xdot[0] = x[0] * x[1];
            xdot[1] = -std::log(x[0]);
            xdot[2] = -2 * t * x[2] * x[2] * x[0] * std::exp(-std::sin(t));
            return true;
          }};
}
inline Eigen::VectorXd smooth_solution(double t) {
  return Eigen::Vector3d(std::exp(std::sin(t)), std::cos(t), 1 / (1 + t * t));
}

// q'' = -q:  x = (cos t, -sin t) from (1, 0).
inline Problem oscillator() {
  Problem problem(2, [](double, const double* x, double* xdot) {
    xdot[0] = x[1];
    xdot[1] = -x[0];
    return true;
  });
  problem.positions = 1;
  problem.jacobian_of = [](double, const double*, Eigen::MatrixXd& J) {
    J << 0, 1, -1, 0;
    return true;
  };
  return problem;
}

// Van der Pol's equation, stiff: eps = 1e-6 (mu = 1e3), from (2, 0) to t = 2. Reference: Test Set for IVP Solvers, release 2.4,
// problem VDPOL.
inline Problem van_der_pol(bool with_jacobian) {
  Problem problem(2, [](double, const double* x, double* xdot) {
    xdot[0] = x[1];
    xdot[1] = ((1 - x[0] * x[0]) * x[1] - x[0]) / 1e-6;
    return true;
  });
  if (with_jacobian)
    problem.jacobian_of = [](double, const double* x, Eigen::MatrixXd& J) {
      J << 0, 1, (-2 * x[0] * x[1] - 1) / 1e-6, (1 - x[0] * x[0]) / 1e-6;
      return true;
    };
  return problem;
}
inline const Eigen::Vector2d van_der_pol_end(0.1706167732170483e1, -0.8928097010247975);

inline IntegratorOptions tolerances(const Ode& ode, double tolerance) {
  IntegratorOptions options;
  options.rtol = tolerance;
  options.atol = Eigen::VectorXd::Constant(ode.size(), tolerance);
  return options;
}

// Steps until t_stop; the status of the step that failed, or ok.
inline StepStatus run(Integrator& integrator, double t_stop) {
  while (integrator.t() < t_stop)
    if (const StepStatus status = integrator.step(t_stop); status != StepStatus::ok) return status;
  return StepStatus::ok;
}

}  // namespace armature::internal
