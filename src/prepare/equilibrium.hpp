// Static equilibrium on the constraints: v = 0 and
//
//   r = Phi' lambda - f(t, q, 0, z) = 0      phi(t, q) = 0      zdot = 0
//
// by Newton's method in (q, z, lambda), made to go downhill first: M/delta added to dr/dq is an implicit Euler step of
// M qdot = -r, so that a machine let go slides into the equilibrium below it, and not onto the nearest summit (Kelley &
// Keyes, SIAM J. Numer. Anal. 35, 1998). Each such step is solved by Newton's method, so that stiff parts follow: links of
// beams would else be bent by the closing of loops, and their forces would decide on the way. delta grows until a step is as
// long as it may be; the last steps are plain Newton.
//
// Pressures that nothing changes at rest (oil behind a closed valve) are no function of the pose: zdot = 0 holds whatever they are. The
// oil holds what it supports where it stands, and its pressures are those that balance the forces there. Where two chambers could
// share a load, a pressure that would fall below its start keeps it.
//
// Time stands still at the guess's t. Comparisons take the side their root is on; where a root is zero at rest (dry
// friction) the mean of both sides acts: no friction.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "dynamics/machine_size.hpp"
#include "step/comparison.hpp"
#include "system/state.hpp"
#include "system/system.hpp"

namespace armature::internal {

// At rest: the derivatives that statics and small vibrations share. Rows are the independent ones; z without the ledger.
struct RestTerms {
  Eigen::MatrixXd M, K, D;     // nv x nv: M, dr/dq N, dr/dv
  Eigen::MatrixXd r_z;         // nv x nz
  Eigen::MatrixXd Phi;         // m x nv
  Eigen::MatrixXd zq, zv, zz;  // derivatives of zdot: nz x nv (along q: times N), nz x nv, nz x nz
  Eigen::VectorXd f, zdot, phi;
  Eigen::MatrixXd oil_q,
      oil_z;  // nz x nv, nz x nz: rows of pressures that nothing changes at rest; empty: there are none

  // Derivative of (r, -zdot, phi) in (q, z, lambda): nv + nz + m.
  Eigen::MatrixXd statics(double inverse_delta = 0) const;
  // The same with the conditions on pressures that nothing changes.
  Eigen::MatrixXd rest(double inverse_delta = 0) const;
};

class RestState {
 public:
  explicit RestState(std::shared_ptr<const System> system);         // compiled with its jacobian
  const std::vector<int>& dynamic() const { return dynamic_; }      // entries of z that are no ledger
  const std::vector<int>& pressures() const { return pressures_; }  // places among dynamic()
  double least(int pressure) const;                                 // its start
  const std::vector<int>& rows() const { return rows_; }            // independent constraint rows
  SystemEvaluator& evaluator() { return evaluator_; }

  // Comparisons of a state at rest, by their event functions; 1/2 where one is zero but for round-off of positions. Returns how
  // many are.
  int settle_comparisons(State& state);
  const MachineSize& size(const State& state);  // taken where it is asked for first
  // False: something is not finite.
  bool evaluate(const State& state, const Eigen::VectorXd& lambda, RestTerms& terms);

 private:
  void take_root_noise(State& state);
  void hold_oil(const State& state, RestTerms& terms) const;

  SystemEvaluator evaluator_;
  std::vector<int> dynamic_, rows_, pressures_;
  State zero_state_;  // the start values of states
  Terms terms_;
  SystemEvaluator::Jacobian jacobian_;
  MachineSize size_;
  Eigen::VectorXd all_lambda_, zero_, roots_;
  std::vector<step::Comparison> noise_;  // of the roots
  std::vector<int> entries_;             // of x, that are not zero at rest
  Eigen::VectorXd sizes_;                // of the entries of x
};

struct Equilibrium {
  bool found = false;
  State state;             // at rest
  Eigen::VectorXd lambda;  // of the independent rows
  int steps = 0;
  double moved = 0;      // largest way of a coordinate from the guess, …
  int mover = -1;        // … of this one; -1: there is none
  std::string sentence;  // on failure
  int balanced = 0;      // comparisons whose root is zero there
};

// parameters: of the free ones; empty: the model's own. The system is compiled with its jacobian.
Equilibrium find_equilibrium(const std::shared_ptr<const System>& system, const State& guess,
                             const Eigen::VectorXd& parameters = {});

}  // namespace armature::internal
