// How a motion changes with what is free: the columns of S = (dx, dd, dt, dp), one for each direction in the free parameters. dx follows the
// forward sensitivity equations
//
//   dx' = f_x dx + f_d dd + f_p dp
//
// along the computed motion; discrete values dd are held, dt is zero and dp never changes. With the residuals r = M a + Phi' lambda - f and
// c = phi'' + alpha phi' + beta phi, a and lambda being unknowns of their own, a direction changes the acceleration by
//
//   [ M   Phi' ] [ da      ]     [ dr ]
//   [ Phi      ] [ dlambda ] = - [ dc ]
//
// where the right side is the exact derivative of the expressions along the direction (directional.hpp): no differences are taken, and the
// linear solve is not differentiated. All columns share one factorization.
//
// While comparisons slide (stiction), their weights w are unknowns, too. With the condition s = d(root)/dt + rate root = 0 that holds each
// of them, dw follows from ds = 0, by the Schur complement K = s_a a_w + s_w.
#pragma once

#include <Eigen/Core>
#include <Eigen/QR>
#include <memory>
#include <string>
#include <vector>

#include "dynamics/configuration.hpp"
#include "dynamics/sliding.hpp"
#include "linear/kinetic_rows.hpp"
#include "prepare/prepare.hpp"
#include "sensitivity/directional.hpp"
#include "sensitivity/tangent_programs.hpp"
#include "system/system.hpp"

namespace armature::internal {

// Why there are none: a sentence without its subject. Empty: there are, at least up to an instant at which the motion has no derivative.
std::string why_no_sensitivity(const Prepared& prepared);

// Comparisons that may slide: the rate of their root depends on their outcome.
std::vector<int> sliders_of(const Equations& equations);

// Made once (it writes expressions into the graph), then copied, one per thread.
class MotionSensitivity {
 public:
  MotionSensitivity(const std::shared_ptr<const System>& system, double alpha, double beta);

  const Layout& layout() const { return n_; }
  int rows() const { return Directional::rows(n_); }  // of S
  const System& system() const { return evaluator_.system(); }
  const std::vector<int>& sliders() const { return sliders_; }
  const std::shared_ptr<const TangentPrograms>& tangents() const { return tangents_; }  // null: without a traced solve
  Eigen::MatrixXd unit_directions() const;  // S with a column for each free parameter, all else zero

  void set_parameters(const Eigen::VectorXd& parameters);
  void set_sliding_rate(double rate) { sliding_.set_rate(rate); }  // of the run, 1/s

  // Computes accelerations, weights of sliding comparisons, and factors here. False: the motion has none; why() explains.
  bool set(const State& state);
  const char* why() const { return why_; }
  double regularity() const {
    return rows_.smallest();
  }                                                      // of the pose that was set last, whether it was regular or not
  const State& state() const { return state_; }          // as set, with weights
  const Eigen::VectorXd& xdot() const { return xdot_; }  // nx
  Eigen::VectorXd flow() const;                          // the direction of the motion itself: (xdot, 0, 1, 0)
  void roots(Eigen::VectorXd& roots) { roots.resize(n_.nw), evaluator_.roots(roots); }  // of all comparisons
  void roots_at(const State& state, Eigen::VectorXd& roots) { evaluator_.set(state), this->roots(roots); }
  // At the state that was set.
  bool rate(const Eigen::MatrixXd& S, Eigen::MatrixXd& rate);  // nx rows; false: not finite
  void make_tangent(Eigen::MatrixXd& S);                       // to phi = 0 and phidot = 0
  // After rate(): the change of the weights, a row for each of active(), which are places in sliders().
  const std::vector<int>& active() const { return active_; }
  const Eigen::MatrixXd& weight_changes() const { return dw_; }
  // y_w dw, to be added to what a Directional with the same sliders gives for the columns of the last rate().
  void add_weight_changes(Directional& y, Eigen::MatrixXd& derivatives);

  // M dv + Phi' mu = force, Phi dv = residual; and the parts of it.
  void solve(const Eigen::VectorXd& force, const Eigen::VectorXd& residual, Eigen::VectorXd& dv, Eigen::VectorXd& mu) {
    rows_.solve(force, residual, dv, mu);
  }
  const Terms& terms() const { return terms_; }

 private:
  bool accelerate();
  bool find_weights();
  bool factor_weights();
  void add_sliding(Eigen::MatrixXd& rate, const Eigen::MatrixXd& S);

  Layout n_;
  double alpha_, beta_;
  std::vector<int> sliders_;
  SystemEvaluator evaluator_;
  Configuration configuration_;
  Sliding sliding_;
  Directional rates_;        // r, c, qdot, zdot
  Directional held_;         // d(root)/dt of the sliders
  Directional roots_;        // the roots of the sliders
  Evaluator root_by_v_;      // of the sliders, one row each
  Directional constraints_;  // phi, phidot
  std::shared_ptr<const TangentPrograms> tangents_;
  KineticRows rows_;
  Terms terms_;
  State state_;
  const char* why_ = "";
  std::vector<int> active_;
  Eigen::MatrixXd root_v_, a_w_, z_w_, dw_, held_changes_, root_changes_;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> K_;
  Eigen::VectorXd b_, vdot_, lambda_, xdot_, solution_, dvdot_, dlambda_, force_, residual_, correction_, dq_, effect_;
  Eigen::MatrixXd changes_, open_;
};

}  // namespace armature::internal
