// The gradient of one expression by many leaves: adjoints go from the expression down to its leaves, so that the whole gradient has a few
// times the operations of the expression itself, however many leaves there are. Derivative (derivative.hpp) goes the other way, one
// direction after the other, and serves many expressions of few leaves.
#pragma once

#include <vector>

#include "expression/graph.hpp"

namespace armature::internal {

// One entry a leaf. Outcomes are fixed, as everywhere between events, but for those that are among the leaves.
std::vector<Expression> reverse_gradient(Expression x, const std::vector<Expression>& leaves);

// A look-up of a table, or of a derivative of it, and how much x changes with what it gives: what the points of the table mean to x.
struct TableUse {
  std::int32_t table;  // of Graph::tables()
  int derivative;
  Expression argument, adjoint;
};
std::vector<Expression> reverse_gradient(Expression x, const std::vector<Expression>& leaves,
                                         std::vector<TableUse>& tables);

}  // namespace armature::internal
