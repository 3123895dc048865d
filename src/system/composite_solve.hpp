// The traced solve by the entries of M, which composite bodies give (mechanics/tree.hpp): M = L D L' (leaves of the tree first:
// no fill) and S = Phi M^-1 Phi' = L_S D_S L_S' (least-degree order).
#pragma once

#include "system/symmetric_factor.hpp"
#include "system/traced_solve.hpp"

namespace armature::internal {

class CompositeSolve : public TracedSolve {
 public:
  // order: elimination order of the columns of M; groups: one number a row of Phi, equal for the components of one vector;
  // extents: see TermsOf, 0 or none at all: there is none.
  CompositeSolve(const ExpressionMatrix& M, const std::vector<int>& order, const ExpressionMatrix& Phi,
                 const std::vector<int>& groups, const std::vector<Expression>& extents = {});

 private:
  using Entries = SymmetricFactor::Entries;
  std::vector<Solution> solve_together(const std::vector<RightSide>& sides, std::vector<Pack>& packs) const override;
  void take_rows(const ExpressionMatrix& Phi);
  LowerTriangle schur_complement() const;

  std::vector<int> order_, row_order_;
  SymmetricFactor M_, S_;
  std::vector<Entries> W_;                   // L^-1 Phi', one list a row of Phi, by places of the elimination order
  std::vector<std::vector<int>> neighbors_;  // rows of W that share a place with a row
};

}  // namespace armature::internal
