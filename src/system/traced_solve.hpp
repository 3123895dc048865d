// The constrained acceleration as straight-line code: the factorizations M = L D L' (leaves of the tree first: no fill) and
// S = Phi M^-1 Phi' = L_S D_S L_S' (least-degree order) are traced through expressions, structural zeros skipped.
// Their pivots come out, so that loss of rank is seen for free.
#pragma once

#include <vector>

#include "expression/expression_matrix.hpp"
#include "expression/pack.hpp"

namespace armature {

class TracedSolve {
 public:
  // order: elimination order of the columns of M; groups: one number a row of Phi, equal for the components of one vector;
  // extents: see TermsOf, 0 or none at all: there is none.
  TracedSolve(const ExpressionMatrix& M, const std::vector<int>& order, const ExpressionMatrix& Phi,
              const std::vector<int>& groups, const std::vector<Expression>& extents = {});

  struct Solution {
    std::vector<Expression> vdot, lambda;
  };
  struct RightSide {
    std::vector<Expression> f, b;
  };
  // M vdot + Phi' lambda = f,  Phi vdot = b
  Solution solve(const RightSide& side) const;
  // Of as many right sides as a pack holds; what is worth computing at once is added to packs.
  std::vector<Solution> solve(const std::vector<RightSide>& sides, std::vector<Pack>& packs) const;

  const std::vector<Expression>& mass_pivots() const { return M_.D; }
  const std::vector<Expression>& pivots() const { return S_.D; }  // in elimination order …
  const std::vector<Expression>& scales() const {
    return scale_;
  }  // … and the sums of S's diagonal over their groups, or extents

 private:
  struct Entry {
    int place;
    Expression value;
  };
  using Entries = std::vector<Entry>;  // places ascending
  struct Factor {                      // L D L' with unit lower L, below its diagonal by columns
    std::vector<Entries> L;
    std::vector<Expression> D, inverse_D;
  };
  class Lower;
  static Factor factor(Lower A);
  class Together;
  std::vector<Solution> solve_together(const std::vector<RightSide>& sides, std::vector<Pack>& packs) const;
  void take_rows(const ExpressionMatrix& Phi);
  Lower schur_complement() const;

  std::vector<int> order_, row_order_;
  Factor M_, S_;
  std::vector<Entries> W_;                    // L^-1 Phi', one list a row of Phi, by places of the elimination order
  std::vector<std::vector<int>> neighbours_;  // rows of W that share a place with a row
  std::vector<Expression> scale_;
};

}  // namespace armature
