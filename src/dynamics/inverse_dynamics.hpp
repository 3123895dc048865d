// Inverse dynamics of closed loops: the efforts tau of the actuators with which the machine moves as its rows of wanted
// motion (C) say, while its loops (L) close:
//
//   vdot:  M vdot + L' lambda + C' mu = f0,  L vdot = gamma_L,  C vdot = gamma_C
//   tau:   B tau = M vdot - f0 + L' lambda      projected on the motions N the loops allow:  N'B tau = N'(M vdot - f0)
//
// Efforts enter f = f0 + B tau as free parameters of the system. Where actuation is redundant, tau is of least norm.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "linear/kinetic_rows.hpp"
#include "system/system.hpp"

namespace armature {

class InverseDynamics {
 public:
  // motion: for each row of the system whether it is one of wanted motion. All parameters of the system are efforts.
  InverseDynamics(std::shared_ptr<const System> system, std::vector<bool> motion);

  // At a state of the motion. False: M is not positive definite or something is not finite.
  bool solve(double t, const Eigen::VectorXd& x);

  const Eigen::VectorXd& effort() const { return effort_; }
  const Eigen::VectorXd& acceleration() const { return vdot_; }
  int undetermined() const { return undetermined_; }  // freedoms that loops and wanted motion leave
  double lack() const { return lack_; }          // of the efforts: part of the force that no actuator produces, 0 to 1
  double smallest() const { return smallest_; }  // singular value of N'B over the largest: 0 at a singular pose
  // Sign of det [B, L'] where that is square, else 0: changes where a singularity of type II is passed.
  int orientation() const { return orientation_; }
  SystemEvaluator& evaluator() { return evaluator_; }  // with the efforts set

 private:
  void take_modes();
  void find_B();
  void find_effort();

  SystemEvaluator evaluator_;
  std::vector<int> motion_, loops_;  // rows
  Terms terms_, other_;
  KineticRows rows_;
  Eigen::MatrixXd B_, L_;
  Eigen::VectorXd vdot_, lambda_, effort_, w_, roots_;
  int undetermined_ = 0, orientation_ = 0;
  double lack_ = 0, smallest_ = 0;
};

}  // namespace armature
