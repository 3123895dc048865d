// One formulation: a way to solve  M vdot + Phi' lambda = f,  Phi vdot = b.  Each is a file of its own, NAME.cpp, with a row in
// model/formulations.def.
#pragma once

#include <string>
#include <vector>

#include "dynamics/acceleration.hpp"
#include "linear/kinetic_rows.hpp"
#include "system/terms.hpp"

namespace armature::internal {

struct FormulationOptions {
  std::string name = "auto";
  std::vector<int> independent = {};  // `partition`: velocities, nv - m of them; empty: chosen by pivoting at the start
  bool repartition = false;           // `partition`: choose anew when the block gets ill-conditioned
};

class FormulationSolver {
 public:
  virtual ~FormulationSolver() = default;
  virtual void resize(int nv, int m) = 0;  // after this solve() allocates nothing
  virtual void solve(const Terms& terms, const Eigen::VectorXd& b, Acceleration& acceleration) = 0;
  virtual void solve_sparse(const SparseTerms&, const Eigen::VectorXd&, Acceleration&) {}  // of `auto` only
  // Why the last solve was not ok, where the formulation itself is the reason; else nothing.
  virtual std::string refusal(const Acceleration&) const { return {}; }

  KineticRows rows;  // decides the rank, and finds the multipliers of least norm
};

}  // namespace armature::internal
