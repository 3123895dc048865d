#include "expression/interpolate.hpp"

#include <algorithm>

namespace armature::internal {

namespace {

constexpr std::size_t longest_chain = 33;  // knots: every one costs a comparison at each evaluation

bool is_linear(const Table& table) {
  return std::all_of(table.coefficients.begin(), table.coefficients.end(),
                     [](const auto& c) { return c[2] == 0 && c[3] == 0; });
}

// Whose curve it is says the label.
Expression is_past(Expression x, double knot) {
  if (x.is_constant()) return unit_step(x - knot);
  const std::string label = x.graph()->comparison_label();
  return said(unit_step(x - knot), label,
              {.rises = "passes on to the next piece of its curve",
               .falls = "returns to the previous piece of its curve",
               .subject = label});
}

Expression held_beyond_ends(const Table& table, Expression x, Expression value) {
  if (!table.hold) return value;
  const double first = table.knots.front(), last = table.knots.back();
  value = select(is_past(x, first), value, table.evaluate(first, 0));
  return select(is_past(x, last), table.evaluate(last, 0), value);
}

Expression chain(const Table& table, Expression x) {
  const auto piece = [&](std::size_t i) {
    const auto& c = table.coefficients[i];
    return c[0] + c[1] * (x - table.knots[i]);
  };
  Expression value = piece(0);
  for (std::size_t i = 1; i + 1 < table.knots.size(); ++i) value = select(is_past(x, table.knots[i]), piece(i), value);
  return value;
}

}  // namespace

Expression interpolate(const std::shared_ptr<const Table>& table, Expression x) {
  if (x.is_constant()) return table->evaluate(x.value(), 0);
  const bool is_short = is_linear(*table) && table->knots.size() <= longest_chain;
  // the corners of a short table are events, also where it repeats; a lookup repeats by itself
  if (table->repeat && is_short)
    x = table->knots.front() + remainder(x - table->knots.front(), table->knots.back() - table->knots.front());
  return held_beyond_ends(*table, x, is_short ? chain(*table, x) : x.graph()->lookup(table, x));
}

}  // namespace armature::internal
