// What an integrator sees of the world: xdot = f(t, x), and a manifold to return to. Nothing of mechanics.
#pragma once

#include <Eigen/Core>

namespace armature::internal {

class Ode {
 public:
  virtual ~Ode() = default;
  virtual int size() const = 0;

  // xdot = f(t, x). False: it cannot be evaluated here (not finite); an error-controlled method tries a smaller step.
  virtual bool derivative(double t, const double* x, double* xdot) = 0;

  // Called after every step, before the error test: returns x to its manifold, and takes out of the error estimate
  // (null: there is none) what lies off it. False: x is too far away.
  virtual bool project(double t, double* x, double* error) = 0;

  // Both at the end of a step, by one evaluation: xdot = f(t, x); then x is returned to its manifold, and the error estimate
  // gets its last share, weight times xdot, and loses what lies off the manifold.
  enum class Finish {
    nothing,            // derivative() and project() are to be asked
    all,                // xdot is that of x as it comes back
    all_before,         // xdot is that of x before its short way back
    all_but_derivative  // xdot is not to be used
  };
  virtual Finish finish(double t, double* x, double* xdot, double* error, double weight) {
    (void)t, (void)x, (void)xdot, (void)error, (void)weight;
    return Finish::nothing;
  }

  // For semi-implicit Euler: x = (q, v, ...); the first position_size() entries are advanced with the new rest.
  virtual int position_size() const { return 0; }

  // df/dx for implicit methods; false: there is none (then differences are used).
  virtual bool jacobian(double t, const double* x, Eigen::MatrixXd& J) {
    (void)t, (void)x, (void)J;
    return false;
  }

  // For methods with one Jacobian for all stages of a step. Where the manifold is nearly singular, f changes so fast off it that
  // none serves all of them: f is then to be that of the nearest state on the manifold.
  virtual double regularity() const { return 1; }  // where derivative() was asked last, see step/regularity.hpp
  virtual bool derivative_on_manifold(double t, const double* x, double* xdot) { return derivative(t, x, xdot); }
};

// 0 = F(t, y, ydot) for IDA.
class Dae {
 public:
  virtual ~Dae() = default;
  virtual int size() const = 0;
  virtual bool residual(double t, const double* y, const double* ydot, double* r) = 0;
  // J = F_y + cj F_ydot
  virtual bool jacobian(double t, double cj, const double* y, const double* ydot, Eigen::MatrixXd& J) = 0;
  virtual void differential(Eigen::VectorXd& id) const = 0;  // 1: differential, 0: algebraic unknown
  virtual void tested(Eigen::VectorXd& id) const = 0;        // 1: takes part in the local error test
  // y, ydot from the state x (the differential part comes first in y), and consistent.
  virtual bool begin(double t, const double* x, double* y, double* ydot) = 0;
};

}  // namespace armature::internal
