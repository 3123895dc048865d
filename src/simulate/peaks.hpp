// The largest size of each motor's current during a run, and when: located on the dense output of each step.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "integrate/integrator.hpp"
#include "simulate/outcome.hpp"

namespace armature {

class Peaks {
 public:
  explicit Peaks(Dynamics& dynamics);
  bool any() const { return !peaks_.empty(); }
  void begin(double t, const Eigen::VectorXd& x);

  // Between the last time and `until`, inside the integrator's last step.
  void find(const Integrator& integrator, double until);
  const std::vector<Peak>& peaks() const { return peaks_; }

 private:
  void evaluate(double t);  // at x_, into value_
  void evaluate_on(const Integrator& integrator, double t);
  void refine(const Integrator& integrator, std::size_t k, double a, double b);
  void raise(std::size_t k, double t);

  Dynamics& dynamics_;
  std::vector<Peak> peaks_;
  std::vector<int> quantity_, state_;  // where the current stands: in the quantities or in x; -1: not there
  Observables observables_;
  double t_ = 0;
  Eigen::VectorXd value_, x_;
  Eigen::MatrixXd size_;  // of the currents at the probes of a step
};

}  // namespace armature
