#include "expression/enclosure.hpp"

#include <cmath>

#include "expression/elementary.hpp"

namespace armature::internal {

namespace {

const Range one = Range::point(1);

Range half(Range x) { return {0.5 * x.low, 0.5 * x.high}; }

// A function that grows with its argument.
template <class F>
Range increasing(F f, Range x) {
  return {f(x.low), f(x.high)};
}

Enclosure sum(const Enclosure& a, const Enclosure& b) {
  return {a.middle + b.middle, a.value + b.value, a.rate + b.rate};
}

Enclosure difference(const Enclosure& a, const Enclosure& b) {
  return {a.middle - b.middle, a.value - b.value, a.rate - b.rate};
}

Enclosure product(const Enclosure& a, const Enclosure& b, bool same) {
  if (same) return {a.middle * a.middle, square(a.value), Range::point(2) * a.value * a.rate};
  return {a.middle * b.middle, a.value * b.value, a.rate * b.value + a.value * b.rate};
}

Enclosure quotient(const Enclosure& a, const Enclosure& b) {
  const Range value = a.value / b.value;
  return {a.middle / b.middle, value, (a.rate - value * b.rate) / b.value};
}

// Beyond its cut the angle jumps, and has no rate.
Enclosure angle(const Enclosure& y, const Enclosure& x) {
  const bool jumps = x.value.low < 0 && y.value.contains(0);
  const Range rate = (x.value * y.rate - y.value * x.rate) / (square(x.value) + square(y.value));
  return {std::atan2(y.middle, x.middle), arc_tangent(y.value, x.value), jumps ? Range::everything() : rate};
}

Enclosure raised(const Enclosure& a, const Enclosure& b) {
  const Range value = power(a.value, b.value);
  const bool constant = b.value.low == b.value.high;
  const Range along =
      constant
          ? b.value * power(a.value, b.value - one) * a.rate
          : value * (b.rate * increasing([](double x) { return std::log(x); }, a.value) + b.value * a.rate / a.value);
  return {std::pow(a.middle, b.middle), value, along};
}

// The bound is met within round-off only, or moves with the value.
Enclosure kept(const Enclosure& x, const Enclosure& bound, double (*pick)(double, double)) {
  return {
      pick(x.middle, bound.middle), {pick(x.value.low, bound.value.low), pick(x.value.high, bound.value.high)}, x.rate};
}

double larger(double a, double b) { return a > b ? a : b; }
double smaller(double a, double b) { return a < b ? a : b; }

// Weights are numbers while outcomes are held, as a rule.
Enclosure choice(const Enclosure& w, const Enclosure& a, const Enclosure& b) {
  if (w.value.low == 1 && w.value.high == 1) return a;
  if (w.value.low == 0 && w.value.high == 0) return b;
  const Enclosure rest{1 - w.middle, one - w.value, -w.rate};
  return sum(product(w, a, false), product(rest, b, false));
}

Enclosure function(Op op, const Enclosure& x) {
  const double m = x.middle;
  const Range v = x.value;
  const Range inside{std::max(v.low, -1.0), std::min(v.high, 1.0)};  // of asin and acos
  switch (op) {
    case Op::neg: return {-m, -v, -x.rate};
    case Op::sqrt: return {std::sqrt(m), root(v), half(x.rate / root(v))};
    case Op::sin: return {std::sin(m), sine(v), cosine(v) * x.rate};
    case Op::cos: return {std::cos(m), cosine(v), -(sine(v) * x.rate)};
    case Op::tan: return {std::tan(m), tangent(v), (one + square(tangent(v))) * x.rate};
    case Op::asin:
      return {std::asin(m), increasing([](double y) { return std::asin(y); }, inside),
              x.rate / root(one - square(inside))};
    case Op::acos:
      return {std::acos(m), {std::acos(inside.high), std::acos(inside.low)}, -(x.rate / root(one - square(inside)))};
    case Op::atan:
      return {std::atan(m), increasing([](double y) { return std::atan(y); }, v), x.rate / (one + square(v))};
    case Op::sinh: {
      const Range slope = {std::cosh(v.contains(0) ? 0 : std::min(std::abs(v.low), std::abs(v.high))),
                           std::cosh(v.size())};
      return {std::sinh(m), increasing([](double y) { return std::sinh(y); }, v), slope * x.rate};
    }
    case Op::cosh: {
      const double nearest = v.contains(0) ? 0 : std::min(std::abs(v.low), std::abs(v.high));
      const Range slope = increasing([](double y) { return std::sinh(y); }, v);
      return {std::cosh(m), {std::cosh(nearest), std::cosh(v.size())}, slope * x.rate};
    }
    case Op::tanh: {
      const Range value = increasing([](double y) { return std::tanh(y); }, v);
      return {std::tanh(m), value, (one - square(value)) * x.rate};
    }
    case Op::exp: {
      const Range value = increasing([](double y) { return std::exp(y); }, v);
      return {std::exp(m), value, value * x.rate};
    }
    case Op::log:
      if (!(v.low > 0)) return {std::log(m), Range::everything(), Range::everything()};
      return {std::log(m), increasing([](double y) { return std::log(y); }, v), x.rate / v};
    default: return {m, Range::everything(), Range::everything()};
  }
}

}  // namespace

EnclosureEvaluator::EnclosureEvaluator(const Program& program)
    : program_(&program), slots_(static_cast<std::size_t>(program_->work_size())) {
  auto slot = static_cast<std::size_t>(program_->input_count());
  for (const double number : program_->constants()) slots_[slot++] = Enclosure::point(number);
  for (const auto& [place, number] : program_->output_constants())
    slots_[static_cast<std::size_t>(place)] = Enclosure::point(number);
}

Enclosure EnclosureEvaluator::apply(Op op, const Program::Operation& o) const {
  const auto at = [&](std::int32_t slot) -> const Enclosure& { return slots_[static_cast<std::size_t>(slot)]; };
  const Enclosure& a = at(o.a);
  switch (op) {
    case Op::add: return sum(a, at(o.b));
    case Op::sub: return difference(a, at(o.b));
    case Op::mul: return product(a, at(o.b), o.a == o.b);
    case Op::div: return quotient(a, at(o.b));
    case Op::atan2: return angle(a, at(o.b));
    case Op::pow: return raised(a, at(o.b));
    case Op::kept_above: return kept(a, at(o.b), larger);
    case Op::kept_below: return kept(a, at(o.b), smaller);
    case Op::select: return choice(a, at(o.b), at(o.c));
    case Op::table: {
      const Table& table = *program_->tables()[static_cast<std::size_t>(o.b)];
      // derivatives of a table may jump at its knots
      const Range rate = o.c == 0 ? of_table(table, 1, a.value) * a.rate : Range::everything();
      return {table.evaluate(a.middle, o.c), of_table(table, o.c, a.value), rate};
    }
    default: return function(op, a);
  }
}

// The program computes the value in the middle, like every other, from operands that are rounded: it may lie beside the exact
// one by their round-off, also where they cancel.
double EnclosureEvaluator::round_off(Op op, const Program::Operation& o) const {
  const auto size = [&](std::int32_t slot) { return slots_[static_cast<std::size_t>(slot)].value.size(); };
  const int operands = operand_count(op);
  return Range::round_off * (size(o.a) + (operands > 1 ? size(o.b) : 0) + (operands > 2 ? size(o.c) : 0));
}

void EnclosureEvaluator::run(double half_span) {
  const Program::Operation* operation = program_->operations().data();
  for (const Program::Run& run : program_->runs())
    for (const Program::Operation* end = operation + run.count; operation != end; ++operation) {
      Enclosure result = apply(run.op, *operation);
      const double reach = half_span * result.rate.size() + round_off(run.op, *operation);
      if (result.middle - reach > result.value.low) result.value.low = result.middle - reach;
      if (result.middle + reach < result.value.high) result.value.high = result.middle + reach;
      result.value = widened(result.value);
      result.rate = widened(result.rate);
      slots_[static_cast<std::size_t>(operation->result)] = result;
    }
}

}  // namespace armature::internal
