// Lagrange multipliers, the direct way:
//
//   [ M    Phi' ] [ vdot   ]   [ f ]
//   [ Phi  0    ] [ lambda ] = [ b ]
//
// The matrix is regular if and only if the rows of Phi are independent; where they are not, this formulation refuses.
#include <Eigen/LU>
#include <memory>

#include "dynamics/formulation_solver.hpp"

namespace armature::internal {

namespace {

class Multipliers final : public FormulationSolver {
 public:
  void resize(int nv, int m) override;
  void solve(const Terms& terms, const Eigen::VectorXd& b, Acceleration& acceleration) override;

  Eigen::MatrixXd matrix;
  Eigen::VectorXd right, solution;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
};

void Multipliers::resize(int nv, int m) {
  rows.resize(nv, m);
  matrix.setZero(nv + m, nv + m);
  right.setZero(nv + m);
  solution.setZero(nv + m);
  lu = Eigen::PartialPivLU<Eigen::MatrixXd>(nv + m);
}

// The rows are divided by their norms, so that M and Phi meet in one matrix at like size.
void Multipliers::solve(const Terms& terms, const Eigen::VectorXd& b, Acceleration& acceleration) {
  const int nv = static_cast<int>(terms.M.rows()), m = rows.rows();
  acceleration.ok = rows.factor(terms) && rows.rank() == m;
  acceleration.rank = rows.rank();
  acceleration.smallest = rows.smallest();
  if (!acceleration.ok) return;

  matrix.topLeftCorner(nv, nv) = terms.M;
  right.head(nv) = terms.f;
  for (int i = 0; i < m; ++i) {
    matrix.row(nv + i).head(nv) = terms.Phi.row(i) / rows.scale(i);
    matrix.col(nv + i).head(nv) = matrix.row(nv + i).head(nv).transpose();
    right[nv + i] = b[i] / rows.scale(i);
  }
  lu.compute(matrix);
  solution = lu.solve(right);
  acceleration.vdot = solution.head(nv);
  for (int i = 0; i < m; ++i) acceleration.lambda[i] = solution[nv + i] / rows.scale(i);
  acceleration.ok = acceleration.vdot.allFinite();
}

}  // namespace

std::unique_ptr<FormulationSolver> make_multipliers_formulation(const FormulationOptions&, int, int) {
  return std::make_unique<Multipliers>();
}

}  // namespace armature::internal
