// How much a number at the end owes to the motion before: adjoints lambda = (lambda_x, lambda_d, lambda_t, lambda_p), the rows of a direction
// (directional.hpp), go backwards along the motion,
//
//   lambda_x' = - f_x' lambda_x - y_x' psi        lambda_d' = - f_d' lambda_x - y_d' psi        lambda_p' = - f_p' lambda_x - y_p' psi
//
// where psi are the weights of integrals of formulas y. One evaluation gives the right sides for all parameters together.
//
// The linear solve of the accelerations is not differentiated. Its matrix is symmetric, so that with
//
//   [ M   Phi' ] [ alpha ]   [ lambda_v ]
//   [ Phi      ] [ mu    ] = [ 0        ]
//
// and r = M a + Phi' lambda - f, c = phi'' + … as in motion_sensitivity.hpp, the right sides are the gradient of one number,
//
//   H = - alpha' r - mu' c + lambda_q' qdot + lambda_z' zdot + psi' y
//
// by everything that it depends on but alpha, mu, a and the multipliers: a reverse sweep. In a system with a traced solve this all is one
// program, both solves and the sweep, with one factorization.
//
// While comparisons slide, their weights w are held by s = d(root)/dt + rate root = 0. H gains omega' s, with
//
//   K' omega = - H_w,   K = s_a a_w + s_w,        and lambda_v gains s_a' omega.
#pragma once

#include <Eigen/Core>
#include <Eigen/QR>
#include <memory>
#include <optional>
#include <vector>

#include "sensitivity/motion_sensitivity.hpp"
#include "sensitivity/transposed.hpp"

namespace armature::internal {

// Made once (it writes expressions into the graph), then copied, one per thread.
class MotionAdjoint {
 public:
  // motion: of the same system. observed: formulas of which integrals may be wanted. tables: numbers in the graph of those whose points
  // are differentiated by.
  MotionAdjoint(const std::shared_ptr<const System>& system, const MotionSensitivity& motion, double alpha, double beta,
                const std::vector<Expression>& observed, const std::vector<int>& tables = {});

  const Layout& layout() const { return n_; }
  int rows() const { return Directional::rows(n_); }
  void set_parameters(const Eigen::VectorXd& parameters);
  void set_sliding_rate(double rate);

  // Discrete values and outcomes, until they are held again.
  void hold(const State& state);
  // At t and x: gain = - lambda' of each column. lambda, gain: rows() rows; psi: one row a formula. False: it has no value, why() says why.
  bool rate(double t, const Eigen::VectorXd& x, const Eigen::MatrixXd& lambda, const Eigen::MatrixXd& psi,
            Eigen::MatrixXd& gain);
  const char* why() const { return why_; }
  // After rate(): what tables gain, of one column.
  const std::vector<TableLookUp>& look_ups(Eigen::Index column) const {
    return look_ups_[static_cast<std::size_t>(column)];
  }

  // ---- at an instant
  bool set(const State& state);  // as MotionSensitivity
  MotionSensitivity& motion() { return motion_; }
  bool slides() const { return slides_; }
  // lambda gains g' dw, dw being the changes of the weights of motion().active();
  // look_ups, what tables are to it.
  void add_weights(const Eigen::VectorXd& g, Eigen::Ref<Eigen::VectorXd> lambda, std::vector<TableLookUp>& look_ups);

  bool traced() const { return traced_.has_value(); }
  void without_traced_program() { traced_.reset(); }  // by a factorization at every state, as where something slides
  const Program& traced_program() const { return traced_->program(); }

 private:
  void make_traced(const System& system, const std::vector<Expression>& observed, const std::vector<int>& tables);
  void evaluate_traced(const Eigen::MatrixXd& lambda, const Eigen::MatrixXd& psi, Eigen::Index column,
                       Eigen::MatrixXd& gain);
  bool regular() const;  // by the pivots of the last evaluation
  bool evaluate_at_state(const Eigen::MatrixXd& lambda, const Eigen::MatrixXd& psi, Eigen::MatrixXd& gain);
  bool factor_weights();
  void solve(const Eigen::VectorXd& force);  // alpha and mu into the weights of H
  Eigen::VectorXd held_by(const Eigen::VectorXd& g);

  Layout n_;
  double alpha_, beta_;
  Eigen::Index observed_;
  MotionSensitivity motion_;
  Transposed H_;  // a, lambda, alpha, mu, omega being given: r, c, qdot, zdot, y, d(root)/dt, root
  double sliding_rate_ = 1;
  State state_;
  bool slides_ = false;
  // the traced program: state | lambda_v | weights of qdot, zdot, y -> rows, look-ups, pivots, their scales
  std::optional<Evaluator> traced_;
  std::vector<int> traced_rows_;
  std::vector<TableLookUp> traced_look_ups_;
  Eigen::Index pivots_ = 0;
  Eigen::VectorXd in_, out_;

  const char* why_ = "";
  Eigen::VectorXd weights_, further_, scratch_, dv_, mu_, no_residual_;
  Eigen::MatrixXd root_v_;                                     // of what slides, a row each
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> K_;  // of K'
  std::vector<std::vector<TableLookUp>> look_ups_;
};

}  // namespace armature::internal
