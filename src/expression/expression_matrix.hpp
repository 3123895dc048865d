// A matrix of expressions, stored by its entries that are not zero: mass matrices and constraint Jacobians of large
// mechanisms have few in a row.
#pragma once

#include <vector>

#include "expression/graph.hpp"

namespace armature::internal {

class ExpressionMatrix {
 public:
  struct Entry {
    int column;
    Expression value;
  };
  using Row = std::vector<Entry>;  // columns ascending

  ExpressionMatrix() = default;
  ExpressionMatrix(int rows, int columns) : columns_(columns), rows_(rows) {}

  int rows() const { return static_cast<int>(rows_.size()); }
  int columns() const { return columns_; }
  const Row& row(int i) const { return rows_[i]; }
  Expression operator()(int i, int j) const;  // a zero where there is no entry

  void add(int i, int j, Expression x);  // to entry (i, j)
  void add_row(Row row) { rows_.push_back(std::move(row)); }

 private:
  int columns_ = 0;
  std::vector<Row> rows_;
};

// The derivatives of each expression of `list` along each leaf. One leaf at a time, and only expressions that depend on it.
ExpressionMatrix jacobian_of(const std::vector<Expression>& list, const std::vector<Expression>& leaves);

}  // namespace armature::internal
