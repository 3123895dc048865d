// The rank-revealing half of `auto`: QR of the constraint rows in the kinetic metric. With W' P = Q R and y = L' vdot,
//
//   y = Q [R11^-T (P' D^-1 b)_1; (Q' L^-1 f)_2]
//
// Dependent rows are left out; where none are, this is the exact solution. See linear/kinetic_rows.hpp.
#include <memory>

#include "dynamics/formulation_solver.hpp"

namespace armature::internal {

namespace {

class RankRevealing final : public FormulationSolver {
 public:
  void resize(int nv, int m) override { rows.resize(nv, m); }
  void solve(const Terms& terms, const Eigen::VectorXd& b, Acceleration& acceleration) override {
    solve_either(terms, b, acceleration);
  }
  void solve_sparse(const SparseTerms& terms, const Eigen::VectorXd& b, Acceleration& acceleration) override {
    solve_either(terms, b, acceleration);
  }

 private:
  template <class Matrix>
  void solve_either(const TermsOf<Matrix>& terms, const Eigen::VectorXd& b, Acceleration& acceleration) {
    acceleration.ok = rows.factor(terms);
    acceleration.rank = rows.rank();
    acceleration.smallest = rows.smallest();
    if (!acceleration.ok) return;
    rows.solve(terms.f, b, acceleration.vdot, acceleration.lambda);
    acceleration.ok = acceleration.vdot.allFinite();
  }
};

}  // namespace

std::unique_ptr<FormulationSolver> make_auto_formulation(const FormulationOptions&, int, int) {
  return std::make_unique<RankRevealing>();
}

}  // namespace armature::internal
