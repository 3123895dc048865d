// The formulations by name: ways to solve  M vdot + Phi' lambda = f,  Phi vdot = b.  They agree to round-off where Phi has full
// rank; multipliers and partition refuse dependent rows, the others leave them out.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dynamics/formulation_solver.hpp"

namespace armature::internal {

class Formulation {
 public:
  // Throws std::invalid_argument with a sentence: unknown name, independent velocities of a wrong number.
  Formulation(const FormulationOptions& options, int nv, int m);

  void set_groups(const std::vector<int>& groups);  // of constraint rows: see KineticRows
  void solve(const Terms& terms, const Eigen::VectorXd& b, Acceleration& acceleration);
  void solve(const SparseTerms& terms, const Eigen::VectorXd& b, Acceleration& acceleration);  // `auto` only

  bool is_auto() const { return is_auto_; }
  const std::string& name() const { return name_; }

  // Why the last solve was not ok, as a sentence.
  std::string refusal(const Acceleration& acceleration) const;

 private:
  std::string name_;
  int m_;
  bool is_auto_;
  std::unique_ptr<FormulationSolver> solver_;
};

const std::vector<std::string>& formulation_names();

}  // namespace armature::internal
