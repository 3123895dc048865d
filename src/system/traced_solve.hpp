// The constrained acceleration as straight-line code: the factorizations M = L D L' (leaves of the tree first: no fill) and
// S = Phi M^-1 Phi' = L_S D_S L_S' (least-degree order) are traced through expressions, structural zeros skipped.
// Their pivots come out, so that loss of rank is seen for free.
#pragma once

#include <vector>

#include "expression/graph.hpp"

namespace armature {

class TracedSolve {
 public:
  // M: n x n row by row; order: elimination order of its columns; Phi: rows of n expressions each; groups: one number a
  // row, equal for the components of one vector.
  TracedSolve(const std::vector<Expression>& M, const std::vector<int>& order,
              const std::vector<std::vector<Expression>>& Phi, const std::vector<int>& groups);

  struct Solution {
    std::vector<Expression> vdot, lambda;
  };
  // M vdot + Phi' lambda = f,  Phi vdot = b
  Solution solve(const std::vector<Expression>& f, const std::vector<Expression>& b) const;

  const std::vector<Expression>& mass_pivots() const { return M_.D; }
  const std::vector<Expression>& pivots() const { return S_.D; }    // in elimination order …
  const std::vector<Expression>& scales() const { return scale_; }  // … and the sums of S's diagonal over their groups

 private:
  struct Factor {  // L D L' with unit lower L, row by row, zeros included
    std::vector<std::vector<Expression>> L;
    std::vector<Expression> D, inverse_D;
  };
  static Factor factor(std::vector<std::vector<Expression>> A);
  static void forward(const Factor& factor, std::vector<Expression>& x);   // x = L^-1 x
  static void backward(const Factor& factor, std::vector<Expression>& x);  // x = L^-T x

  std::vector<int> order_, row_order_;
  Factor M_, S_;
  std::vector<std::vector<Expression>> W_;  // L^-1 Phi', one list a row, in elimination order
  std::vector<Expression> scale_;
};

}  // namespace armature
