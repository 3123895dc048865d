// A = L D L' of a symmetric matrix of expressions with few entries, traced: right-looking, without fill where the order allows.
#pragma once

#include <map>
#include <vector>

#include "expression/graph.hpp"
#include "system/right_sides.hpp"

namespace armature::internal {

// The lower triangle of a symmetric matrix, by columns.
class LowerTriangle {
 public:
  explicit LowerTriangle(int n) : columns(n) {}
  Expression& operator()(int i, int j) { return columns[j][i]; }
  std::vector<std::map<int, Expression>> columns;
};

struct SymmetricFactor {
  struct Entry {
    int place;
    Expression value;
  };
  using Entries = std::vector<Entry>;  // places ascending

  SymmetricFactor() = default;
  explicit SymmetricFactor(LowerTriangle A);

  void forward(RightSides& sides, std::vector<RightSides::Number>& x) const;   // x = L^-1 x
  void backward(RightSides& sides, std::vector<RightSides::Number>& x) const;  // x = L^-T x

  std::vector<Entries> L;  // unit lower, below its diagonal by columns
  std::vector<Expression> D, inverse_D;
};

// Least degree: eliminate next the row with fewest neighbors; its neighbors then see each other.
std::vector<int> least_degree_order(const std::vector<std::vector<int>>& neighbors);

}  // namespace armature::internal
