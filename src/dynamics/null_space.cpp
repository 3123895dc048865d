// Null space of the Jacobian: with the singular value decomposition Phi = U S V' and V1 its right vectors of rank r,
//
//   R = E - V1 V1' = E - Phi^+ Phi      vdot = [R' M; Phi]^+ [R' f; b]
//
// Equations 21 to 23 of Nguyen, Vu, Dinh and Nguyen (Vietnam J. Mech. 2023). R needs no partition of the coordinates,
// and the stacked matrix has full column rank also where rows are dependent. lambda follows from Phi' lambda = f - M
// vdot.
#include <Eigen/QR>
#include <algorithm>
#include <memory>

#include "dynamics/formulation_solver.hpp"
#include "linear/singular_values.hpp"

#include "expression/interruption.hpp"

namespace armature::internal {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

class NullSpace final : public FormulationSolver {
 public:
  void resize(int nv, int m) override;
  void solve(const Terms& terms, const Eigen::VectorXd& b, Acceleration& acceleration) override;

  Eigen::MatrixXd Phi, Phi_t, R, H;
  Eigen::VectorXd h, force;
  SingularValues svd;  // of Phi', whose left vectors are V
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;

 private:
  void least_squares(Eigen::VectorXd& vdot);  // H vdot = h; h is lost
};

void NullSpace::resize(int nv, int m) {
  rows.resize(nv, m);
  Phi.setZero(m, nv), Phi_t.setZero(nv, m), R.setZero(nv, nv), H.setZero(nv + m, nv);
  h.setZero(nv + m), force.setZero(nv);
  svd.resize(nv, m);
  qr = Eigen::ColPivHouseholderQR<MatrixXd>(nv + m, nv);
}

// Rows of Phi are divided by their norms, those of R' M by the mean inertia: the two blocks are of like size.
void NullSpace::solve(const Terms& terms, const VectorXd& b, Acceleration& acceleration) {
  const int nv = static_cast<int>(terms.M.rows()), m = rows.rows();
  acceleration.ok = rows.factor(terms);
  acceleration.rank = rows.rank();
  acceleration.smallest = rows.smallest();
  if (!acceleration.ok) return;

  for (int i = 0; i < m; ++i) Phi.row(i) = terms.Phi.row(i) / rows.scale(i), h[nv + i] = b[i] / rows.scale(i);
  Phi_t = Phi.transpose();
  acceleration.ok = svd.compute(Phi_t, interrupted_after);
  if (!acceleration.ok) return;
  R.setIdentity();
  for (int k = 0; k < rows.rank(); ++k) R.noalias() -= svd.U().col(k) * svd.U().col(k).transpose();

  const double inertia = terms.M.trace() / nv;
  H.topRows(nv).noalias() = R.transpose() * terms.M;
  H.topRows(nv) /= inertia;
  H.bottomRows(m) = Phi;
  h.head(nv).noalias() = R.transpose() * terms.f;
  h.head(nv) /= inertia;
  least_squares(acceleration.vdot);

  force = terms.f;
  force.noalias() -= terms.M * acceleration.vdot;
  rows.multipliers(force, acceleration.lambda);
  acceleration.ok = acceleration.vdot.allFinite();
}

void NullSpace::least_squares(VectorXd& vdot) {
  qr.compute(H);
  const int n = static_cast<int>(H.cols());
  for (int k = 0; k < n; ++k) {
    const auto tail = qr.matrixQR().col(k).tail(h.size() - k - 1);
    const double s = qr.hCoeffs()[k] * (h[k] + tail.dot(h.tail(h.size() - k - 1)));
    h[k] -= s;
    h.tail(h.size() - k - 1) -= s * tail;
  }
  qr.matrixQR().topRows(n).triangularView<Eigen::Upper>().solveInPlace(h.head(n));
  for (int k = 0; k < n; ++k) vdot[qr.colsPermutation().indices()[k]] = h[k];
}

}  // namespace

std::unique_ptr<FormulationSolver> make_null_space_formulation(const FormulationOptions&, int, int) {
  return std::make_unique<NullSpace>();
}

}  // namespace armature::internal
