// The solution of  M vdot + Phi' lambda = f,  Phi vdot = gamma  as expressions of the state, traced through the factorizations. Of rows
// that depend on others at every pose the multipliers are those of least norm: with the dependent rows Phi_D = K Phi_I and the
// multipliers mu of the independent ones alone,
//
//   (1 + K K') lambda_D = K mu,   lambda_I = mu - K' lambda_D.
#pragma once

#include <memory>
#include <vector>

#include "mechanics/equations.hpp"
#include "system/composite_solve.hpp"

namespace armature::internal {

class ConstrainedSolution {
 public:
  using List = std::vector<Expression>;
  struct Values {
    List vdot, lambda;  // lambda: of all rows
  };

  ConstrainedSolution(const Equations& equations, const std::vector<int>& independent_rows);

  Values with_forces(const List& f) const;      // f and gamma
  Values response_to(const List& force) const;  // gamma = 0: what a force adds
  // force' vdot of with_forces(f), by what the force alone would do: response = response_to(force). Where no rows are dependent.
  Expression along(const Values& response, const List& f) const;
  Expression along_force(const Values& response, const List& force) const;  // the same of response_to(force)
  std::size_t dependent_rows() const { return dependent_rows_.size(); }
  std::size_t dependent_row(std::size_t d) const { return dependent_rows_[d]; }
  List balanced_multipliers(std::size_t d) const;  // of all rows: of row d one, and those that balance it

 private:
  Values solve(const List& f, const List& gamma) const;

  std::size_t rows_;
  std::vector<int> independent_;
  std::vector<std::size_t> dependent_rows_;
  List gamma_;
  std::unique_ptr<CompositeSolve> solve_;
  std::vector<List> K_;  // one list a dependent row
};

// A x = b with A square and small, without a choice of pivots. pivots: where given, those of A.
std::vector<Expression> solve_small(std::vector<std::vector<Expression>> A, std::vector<Expression> b,
                                    std::vector<Expression>* pivots = nullptr);

}  // namespace armature::internal
