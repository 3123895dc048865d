#include "system/right_sides.hpp"

#include <algorithm>

namespace armature::internal {

namespace {

bool is_negative(Expression x) { return !x.is_constant() && x.node().op == Op::neg; }

// 0 - y as the graph writes x - y, for an x that may be -(…)
Expression zero_minus(Expression y, bool like_negative) {
  Graph& graph = *y.graph();
  const std::int32_t zero = graph.id_of(0.0), part = is_negative(y) ? y.node().a : y.id();
  if (!like_negative) return graph.make(is_negative(y) ? Op::add : Op::sub, zero, part);
  return is_negative(y) ? graph.make(Op::sub, part, zero) : -graph.make(Op::add, zero, part);
}

}  // namespace

RightSides::Number RightSides::times(Expression factor, Number x) {
  for (Expression& number : x) number = factor * number;
  return factor.is(0) || factor.is(1) || factor.is(-1) ? x : noted(std::move(x));
}

RightSides::Number RightSides::plus(const Number& x, Number y) {
  if (is_zero(x)) return y;
  if (is_zero(y)) return x;
  for (std::size_t k = 0; k < x.size(); ++k) y[k] = x[k] + y[k];
  return noted(std::move(y));
}

RightSides::Number RightSides::minus(const Number& x, Number y) {
  if (is_zero(y)) return x;
  for (std::size_t k = 0; k < x.size(); ++k)
    y[k] = x[k].is(0) && !x[0].is(0) && !y[k].is_constant() ? zero_minus(y[k], is_negative(x[0])) : x[k] - y[k];
  return noted(std::move(y));
}

void RightSides::make_alike(Number& x) {
  for (Expression& number : x) {
    if (number.is_constant() || is_negative(number) == is_negative(x[0])) continue;
    Graph& graph = *number.graph();
    const bool negative = is_negative(number);
    number = graph.make(Op::sub, graph.id_of(0.0), negative ? number.node().a : number.id());
    if (!negative) number = graph.make(Op::neg, number.id());
  }
}

bool RightSides::is_zero(const Number& x) {
  return std::all_of(x.begin(), x.end(), [](const Expression& number) { return number.is(0); });
}

RightSides::Number RightSides::noted(Number x) {
  if (x.size() != pack_width) return x;
  Pack pack;
  for (int k = 0; k < pack_width; ++k) pack[k] = is_negative(x[k]) ? Expression(x[k].graph(), x[k].node().a) : x[k];
  packs_.push_back(pack);
  return x;
}

}  // namespace armature::internal
