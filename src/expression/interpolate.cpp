#include "expression/interpolate.hpp"

#include <algorithm>

namespace armature {

namespace {

constexpr std::size_t longest_chain = 33;  // knots: every one costs a comparison at each evaluation

bool is_linear(const Table& table) {
  return std::all_of(table.coefficients.begin(), table.coefficients.end(),
                     [](const auto& c) { return c[2] == 0 && c[3] == 0; });
}

}  // namespace

Expression interpolate(const std::shared_ptr<const Table>& table, Expression x) {
  if (x.is_constant()) return table->evaluate(x.value(), 0);
  const auto& knots = table->knots;
  if (!is_linear(*table) || knots.size() > longest_chain) return x.graph()->lookup(table, x);
  auto piece = [&](std::size_t i) {
    const auto& c = table->coefficients[i];
    return c[0] + c[1] * (x - knots[i]);
  };
  Expression value = piece(0);
  if (table->hold) value = select(step(x - knots[0]), value, table->coefficients[0][0]);
  for (std::size_t i = 1; i + 1 < knots.size(); ++i) value = select(step(x - knots[i]), piece(i), value);
  if (table->hold) value = select(step(x - knots.back()), table->evaluate(knots.back(), 0), value);
  return value;
}

}  // namespace armature
