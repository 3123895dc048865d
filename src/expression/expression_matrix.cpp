#include "expression/expression_matrix.hpp"

#include <algorithm>
#include <unordered_map>

#include "expression/derivative.hpp"

namespace armature::internal {

namespace {

template <class Row>
auto place_of(Row& row, int column) {
  return std::lower_bound(row.begin(), row.end(), column,
                          [](const ExpressionMatrix::Entry& entry, int wanted) { return entry.column < wanted; });
}

}  // namespace

Expression ExpressionMatrix::operator()(int i, int j) const {
  const auto found = place_of(rows_[i], j);
  return found != rows_[i].end() && found->column == j ? found->value : Expression(0.0);
}

void ExpressionMatrix::add(int i, int j, Expression x) {
  if (x.is(0)) return;
  Row& row = rows_[i];
  const auto found = place_of(row, j);
  if (found == row.end() || found->column != j)
    row.insert(found, {j, x});
  else if (found->value += x; found->value.is(0))
    row.erase(found);
}

ExpressionMatrix jacobian_of(const std::vector<Expression>& list, const std::vector<Expression>& leaves) {
  std::unordered_map<std::int32_t, std::size_t> column;
  for (std::size_t k = 0; k < leaves.size(); ++k) column[leaves[k].id()] = k;
  std::vector<std::vector<std::size_t>> rows_of(leaves.size());
  for (std::size_t r = 0; r < list.size(); ++r)
    for (std::int32_t leaf : leaves_of(list[r]))
      if (auto found = column.find(leaf); found != column.end()) rows_of[found->second].push_back(r);
  ExpressionMatrix J(static_cast<int>(list.size()), static_cast<int>(leaves.size()));
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    Derivative along({{leaves[k].id(), 1.0}});
    for (std::size_t r : rows_of[k]) J.add(static_cast<int>(r), static_cast<int>(k), along(list[r]));
  }
  return J;
}

}  // namespace armature::internal
