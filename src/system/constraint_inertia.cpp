#include "system/constraint_inertia.hpp"

#include <algorithm>

#include "system/flow.hpp"

namespace armature::internal {

namespace {

using List = std::vector<Expression>;

bool is_length(const Equations& e, int velocity) {
  return e.velocities[static_cast<std::size_t>(velocity)].kind == Coordinate::Kind::length;
}

std::vector<int> zero_rows(const ExpressionMatrix& M) {
  std::vector<int> rows;
  for (int k = 0; k < M.rows(); ++k)
    if (std::ranges::all_of(M.row(k), [](const auto& entry) { return entry.value.is(0); })) rows.push_back(k);
  return rows;
}

// A row that moves a massless velocity in a fixed proportion gives it the inertia of the machine. Others are distances, for
// which that is a mass.
Expression weight_of(const Equations& e, const ConstraintRow& row, const List& slopes) {
  Expression squares = 0.0;
  bool of_length = false;
  for (const int k : e.massless) {
    const Expression slope = slopes[static_cast<std::size_t>(k)];
    if (slope.is(0)) continue;
    squares += slope * slope;
    of_length = of_length || is_length(e, k);
  }
  if (squares.is_constant()) return typical_inertia(e, of_length) / squares;
  return typical_inertia(e, row.unit == "m");
}

}  // namespace

Expression typical_inertia(const Equations& e, bool of_length) {
  const Expression wanted = of_length ? e.total_mass : e.total_inertia,
                   other = of_length ? e.total_inertia : e.total_mass;
  return !wanted.is(0) ? wanted : !other.is(0) ? other : Expression(1.0);
}

void add_constraint_inertia(Equations& e) {
  e.massless = zero_rows(e.M);
  if (e.massless.empty()) return;
  e.tree.reset();  // M is no longer that of a tree
  Derivative along_flow(flow_of_states(e));
  for (const ConstraintRow& row : e.rows) {
    const Expression rate = rate_of(row, along_flow);
    const List slopes = gradient(rate, e.v);
    const auto moves = [&](int k) { return !slopes[static_cast<std::size_t>(k)].is(0); };
    if (std::ranges::none_of(e.massless, moves)) continue;
    const Expression weight = weight_of(e, row, slopes), gamma = -along_flow(rate);
    for (int i = 0; i < e.M.rows(); ++i) {
      if (!moves(i)) continue;
      const Expression weighted = weight * slopes[static_cast<std::size_t>(i)];
      e.f[static_cast<std::size_t>(i)] += weighted * gamma;
      for (int j = 0; j < e.M.rows(); ++j)
        if (moves(j)) e.M.add(i, j, weighted * slopes[static_cast<std::size_t>(j)]);
    }
  }
}

}  // namespace armature::internal
