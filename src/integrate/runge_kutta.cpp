#include "integrate/runge_kutta.hpp"

namespace armature {

RungeKutta::RungeKutta(const Tableau& tableau, Ode& ode, long& evaluations)
    : tableau_(tableau),
      ode_(ode),
      evaluations_(evaluations),
      K_(Eigen::MatrixXd::Zero(ode.size(), tableau.all_stages())),
      stage_x_(ode.size()) {}

bool RungeKutta::evaluate(double t, const Eigen::VectorXd& x, int stage) {
  ++evaluations_;
  return ode_.derivative(t, x.data(), K_.col(stage).data());
}

template <class Weights>
void RungeKutta::combine(const Weights& weights, double h, Eigen::VectorXd& result) const {
  for (int i = 0; i < weights.size(); ++i)
    if (weights(i) != 0) result += (h * weights(i)) * K_.col(i);
}

bool RungeKutta::advance(double t, double h, const Eigen::VectorXd& x0, Eigen::VectorXd& x1) {
  for (int i = 1; i < tableau_.stages(); ++i) {
    stage_x_ = x0;
    combine(tableau_.A.row(i).head(i), h, stage_x_);
    if (!evaluate(t + tableau_.c(i) * h, stage_x_, i)) return false;
  }
  x1 = x0;
  combine(tableau_.b, h, x1);
  return true;
}

bool RungeKutta::finish(double t1, const Eigen::VectorXd& x1) { return evaluate(t1, x1, tableau_.stages()); }

Ode::Finish RungeKutta::finish_and_return(double t1, double h, Eigen::VectorXd& x1, Eigen::VectorXd& error) {
  const auto done = ode_.finish(t1, x1.data(), K_.col(tableau_.stages()).data(), error.data(), end_weight(h));
  if (done != Ode::Finish::nothing) ++evaluations_;
  return done;
}

void RungeKutta::estimate_without_end(int row, double h, Eigen::VectorXd& error) const {
  error.setZero();
  combine(tableau_.E.row(row).head(tableau_.stages()), h, error);
}

void RungeKutta::estimate(int row, double h, Eigen::VectorXd& error) const {
  error.setZero();
  combine(tableau_.E.row(row), h, error);
}

bool RungeKutta::dense_stages(double t, double h, const Eigen::VectorXd& x0) {
  for (int i = 0; i < tableau_.dense_c.size(); ++i) {
    stage_x_ = x0;
    combine(tableau_.dense_A.row(i), h, stage_x_);
    if (!evaluate(t + tableau_.dense_c(i) * h, stage_x_, tableau_.stages() + 1 + i)) return false;
  }
  return true;
}

void RungeKutta::interpolant(double t, double h, const Eigen::VectorXd& x0, const Eigen::VectorXd& x1,
                             DenseOutput& dense) {
  dense.set_ends(t, h, x0, x1, K_.col(0), K_.col(tableau_.stages()));
  const bool complete = dense_stages(t, h, x0);
  for (int row = 0; row < tableau_.D.rows(); ++row) {
    stage_x_.setZero();
    if (complete) combine(tableau_.D.row(row), h, stage_x_);
    dense.set_row(row, stage_x_);
  }
}

}  // namespace armature
