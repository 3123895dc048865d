// Udwadia-Kalaba acceleration:
//
//   vdot = a + M^-1/2 (Phi M^-1/2)^+ (b - Phi a),   a = M^-1 f
//
// Exact also for dependent rows, which the pseudo-inverse weighs together; needs M positive definite. The root of M may
// be its Cholesky factor, since the result does not depend on the choice. Udwadia & Kalaba, Proc. R. Soc. A 439 (1992).
#include <Eigen/Cholesky>
#include <memory>

#include "dynamics/formulation_solver.hpp"
#include "linear/singular_values.hpp"

#include "expression/interruption.hpp"

namespace armature::internal {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

class UdwadiaKalaba final : public FormulationSolver {
 public:
  void resize(int nv, int m) override;
  void solve(const Terms& terms, const Eigen::VectorXd& b, Acceleration& acceleration) override;

  Eigen::MatrixXd W;
  Eigen::VectorXd a, error, weights, step, force;
  Eigen::LLT<Eigen::MatrixXd> llt;
  SingularValues svd;  // of W
};

void UdwadiaKalaba::resize(int nv, int m) {
  rows.resize(nv, m);
  W.setZero(nv, m);
  a.setZero(nv), step.setZero(nv), force.setZero(nv), error.setZero(m), weights.setZero(m);
  llt.compute(MatrixXd::Identity(nv, nv));
  svd.resize(nv, m);
}

// W = L^-1 Phi' D^-1 with D the rows' norms, so (Phi L^-T)^+ r = (W')^+ D^-1 r for the r that the rows agree on.
void UdwadiaKalaba::solve(const Terms& terms, const VectorXd& b, Acceleration& acceleration) {
  const int m = rows.rows();
  acceleration.ok = rows.factor(terms);
  acceleration.rank = rows.rank();
  acceleration.smallest = rows.smallest();
  if (!acceleration.ok) return;

  llt.compute(terms.M);
  a = terms.f;
  llt.solveInPlace(a);
  error = b;
  error.noalias() -= terms.Phi * a;
  for (int i = 0; i < m; ++i) {
    W.col(i) = terms.Phi.row(i).transpose() / rows.scale(i);
    llt.matrixL().solveInPlace(W.col(i));
    error[i] /= rows.scale(i);
  }

  // (W')^+ = U S^-1 V' with the first rank singular values
  acceleration.ok = svd.compute(W, interrupted_after);
  if (!acceleration.ok) return;
  weights.noalias() = svd.V().transpose() * error;
  step.setZero();
  for (int k = 0; k < rows.rank(); ++k) step += svd.U().col(k) * (weights[k] / svd.values()[k]);
  llt.matrixU().solveInPlace(step);
  acceleration.vdot = a + step;

  force.noalias() = -terms.M * step;
  rows.multipliers(force, acceleration.lambda);
  acceleration.ok = acceleration.vdot.allFinite();
}

}  // namespace

std::unique_ptr<FormulationSolver> make_udwadia_kalaba_formulation(const FormulationOptions&, int, int) {
  return std::make_unique<UdwadiaKalaba>();
}

}  // namespace armature::internal
