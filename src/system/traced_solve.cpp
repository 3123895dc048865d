#include "system/traced_solve.hpp"

#include <map>

namespace armature::internal {

TracedSolve::Solution TracedSolve::solve(const RightSide& side) const {
  std::vector<Pack> none;
  return solve_together({side}, none).front();
}

std::vector<TracedSolve::Solution> TracedSolve::solve(const std::vector<RightSide>& sides,
                                                      std::vector<Pack>& packs) const {
  constexpr std::size_t few = 10;  // numbers of a side; to gather so few into packs would take longer than it saves
  if (mass_pivots_.size() + pivots_.size() >= few) return solve_together(sides, packs);
  std::vector<Solution> solutions;
  for (const RightSide& side : sides) solutions.push_back(solve(side));
  return solutions;
}

std::vector<Expression> TracedSolve::row_scales(const std::vector<int>& order, const std::vector<Expression>& diagonal,
                                                const std::vector<int>& groups,
                                                const std::vector<Expression>& extents) {
  std::map<int, Expression> sums;
  for (std::size_t k = 0; k < order.size(); ++k) sums[groups[order[k]]] += diagonal[k];
  std::vector<Expression> scales;
  for (int row : order) scales.push_back(extents.empty() || extents[row].is(0) ? sums[groups[row]] : extents[row]);
  return scales;
}

}  // namespace armature::internal
