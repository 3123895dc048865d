// The constrained acceleration as straight-line code: factorizations of M and of S = Phi M^-1 Phi', traced through
// expressions with structural zeros skipped. Their pivots come out, so that loss of rank is seen for free. There are two
// ways: by the entries of M (composite_solve.hpp), and from link to link (articulated_solve.hpp).
#pragma once

#include <vector>

#include "expression/expression_matrix.hpp"
#include "expression/pack.hpp"
#include "mechanics/articulated_tree.hpp"

namespace armature::internal {

class TracedSolve {
 public:
  virtual ~TracedSolve() = default;

  struct Solution {
    std::vector<Expression> vdot, lambda;
  };
  struct RightSide {
    std::vector<Expression> f, b;
    std::vector<Wrench> wrenches = {};  // upon the links, to be overcome besides f; none: there are none
  };
  // M vdot + Phi' lambda = f,  Phi vdot = b
  Solution solve(const RightSide& side) const;
  // Of as many right sides as a pack holds; what is worth computing at once is added to packs.
  std::vector<Solution> solve(const std::vector<RightSide>& sides, std::vector<Pack>& packs) const;

  const std::vector<Expression>& mass_pivots() const { return mass_pivots_; }  // in elimination order
  const std::vector<Expression>& pivots() const { return pivots_; }            // of S, in elimination order …
  const std::vector<Expression>& scales() const { return scales_; }            // … and what they are measured by

 protected:
  TracedSolve() = default;
  virtual std::vector<Solution> solve_together(const std::vector<RightSide>& sides, std::vector<Pack>& packs) const = 0;
  // Of rows in some order, with S's diagonal in that order: the sums of it over their groups, or extents. A row that vanishes
  // is small against the other components of its vector, or against its extent; not against itself.
  static std::vector<Expression> row_scales(const std::vector<int>& order, const std::vector<Expression>& diagonal,
                                            const std::vector<int>& groups, const std::vector<Expression>& extents);

  std::vector<Expression> mass_pivots_, pivots_, scales_;
};

}  // namespace armature::internal
