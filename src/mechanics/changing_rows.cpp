#include "mechanics/changing_rows.hpp"

#include <algorithm>

#include "expression/derivative.hpp"

namespace armature::internal {

namespace {

bool law_changes(const Equations& equations, const ConstraintRow& row) {
  return std::ranges::any_of(leaves_of(row.phi),
                             [&](std::int32_t leaf) { return (*equations.graph)[leaf].op == Op::outcome; });
}

}  // namespace

std::vector<int> changing_rows(const Equations& equations) {
  std::vector<int> rows;
  for (std::size_t i = 0; i < equations.rows.size(); ++i)
    if (law_changes(equations, equations.rows[i])) rows.push_back(static_cast<int>(i));
  return rows;
}

}  // namespace armature::internal
