// The equations of S (motion_sensitivity.hpp) as programs that share what columns have in common.
//
// A column moves as  dx' = f_x dx + f_d dd + f_p dp.  Its coefficients depend on the state alone: the entries of the derivatives of
// r = M a + Phi' lambda - f, c = phi'' + alpha phi' + beta phi, qdot and zdot, and the factors of the traced solve (traced_motion.hpp),
// which turns dr and dc into da. So there are two kinds of programs:
//
//   coefficients   eight states in the lanes of one evaluation: the stages of a step, which are all known before S is
//   rate, tangent  eight columns in the lanes, with the coefficients of one state as common inputs (program.hpp)
//
// tangent makes columns tangent to phi = 0 by the shortest way in the kinetic metric, then to phidot = 0, which depends on it.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "expression/program.hpp"
#include "step/lanes.hpp"
#include "system/system.hpp"

namespace armature::internal {

// Made once (it writes expressions into the graph), shared by all threads.
class TangentPrograms {
 public:
  // With a traced solve alone; null: the system has none.
  static std::shared_ptr<const TangentPrograms> of(const System& system, double alpha, double beta);

  const Layout& layout() const { return n_; }
  int used_rows() const { return used_rows_; }          // constraint rows of the traced solve
  int rows() const { return n_.nx() + n_.nd + n_.np; }  // of a column: dx, dd, dp
  const std::shared_ptr<const Program>& coefficients() const {
    return coefficients_;
  }                                                                           // then pivots of M, of S, and scales
  const std::shared_ptr<const Program>& rate() const { return rate_; }        // nx rows
  const std::shared_ptr<const Program>& tangent() const { return tangent_; }  // dq and dv; null without constraints

 private:
  TangentPrograms(const System& system, double alpha, double beta);

  Layout n_;
  int used_rows_ = 0;
  std::shared_ptr<const Program> coefficients_, rate_, tangent_;
};

// One thread's part: coefficients at up to eight states, and columns there.
class TangentEvaluator {
 public:
  explicit TangentEvaluator(std::shared_ptr<const TangentPrograms> programs);

  void set_parameters(const Eigen::VectorXd& parameters);
  void hold(const Eigen::VectorXd& d, const Eigen::VectorXd& w);  // discrete values and outcomes
  void set_state(int lane, double t, const Eigen::VectorXd& x);
  // At the states of the first `count` lanes. False: not all of them have accelerations and regular poses.
  bool compute(int count);
  double regularity(int lane) const;  // of the pose in a lane: a sine
  // Eight columns at the state of a lane: rows() rows to nx.
  void rate(int lane, const LaneRow* columns, LaneRow* rate) {
    rate_(columns->lane, rate->lane, coefficients_.data()->lane + lane);
  }
  void make_tangent(int lane, LaneRow* columns);

 private:
  struct Pivots {
    const LaneRow *mass_pivots, *pivots, *scales;
  };
  Pivots pivots() const;

  std::shared_ptr<const TangentPrograms> programs_;
  Evaluator coefficients_of_, rate_, tangent_;
  std::vector<LaneRow> in_, coefficients_, corrected_;
};

}  // namespace armature::internal
