// Zeros of the functions of Equations::events, located on the dense output of each step and put on the manifold. They do
// not change the motion; they are listed.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "integrate/integrator.hpp"
#include "simulate/outcome.hpp"

namespace armature {

class Crossings {
 public:
  explicit Crossings(Dynamics& dynamics);
  bool any() const { return value_.size() > 0; }
  void begin(double t, const Eigen::VectorXd& x);

  // Sign changes between the last time and `until`, inside the integrator's last step, in the order of time.
  void find(const Integrator& integrator, double until, std::vector<RunEvent>& events);

 private:
  void evaluate(double t);  // at x_, into value_
  void evaluate_on(const Integrator& integrator, double t);
  double locate(const Integrator& integrator, Eigen::Index k, double a, double b, double fa, double fb);

  Dynamics& dynamics_;
  double t_ = 0;
  Eigen::VectorXd value_, last_, x_;
};

}  // namespace armature
