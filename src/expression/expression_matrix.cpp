#include "expression/expression_matrix.hpp"

#include <algorithm>

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

}  // namespace armature::internal
