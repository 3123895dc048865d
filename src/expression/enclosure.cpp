#include "expression/enclosure.hpp"

#include <algorithm>
#include <cmath>

#include "expression/elementary.hpp"

namespace armature::internal {

namespace {

const Range one = Range::point(1);

// A function that grows with its argument.
template <class F>
Range increasing(F f, Range x) {
  return {f(x.low), f(x.high)};
}

// With the processor's bits, and those of a card.
struct OwnFunctions {
  static void sin_cos(const double* x, double* sine, double* cosine, int n) { elementary::sin_cos(x, sine, cosine, n); }
  static double exp(double x) { return elementary::exp(x); }
  static double atan2(double y, double x) { return elementary::atan2(y, x); }
};

Enclosure raised(const Enclosure& a, const Enclosure& b) {
  const Range value = power(a.value, b.value);
  const bool constant = b.value.low == b.value.high;
  const Range along =
      constant
          ? b.value * power(a.value, b.value - one) * a.rate
          : value * (b.rate * increasing([](double x) { return std::log(x); }, a.value) + b.value * a.rate / a.value);
  return {std::pow(a.middle, b.middle), value, along};
}

Enclosure function(Op op, const Enclosure& x) {
  const double m = x.middle;
  const Range v = x.value;
  const Range inside{std::max(v.low, -1.0), std::min(v.high, 1.0)};  // of asin and acos
  switch (op) {
    case Op::neg: return step::negated(x);
    case Op::sqrt: return step::rooted(x);
    case Op::sin: return step::sine<OwnFunctions>(x);
    case Op::cos: return step::cosine<OwnFunctions>(x);
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
    case Op::exp: return step::exponential<OwnFunctions>(x);
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
    case Op::add: return step::sum(a, at(o.b));
    case Op::sub: return step::difference(a, at(o.b));
    case Op::mul: return o.a == o.b ? step::squared(a) : step::product(a, at(o.b));
    case Op::div: return step::quotient(a, at(o.b));
    case Op::atan2: return step::arc_tangent<OwnFunctions>(a, at(o.b));
    case Op::pow: return raised(a, at(o.b));
    case Op::kept_above: return step::kept_above(a, at(o.b));
    case Op::kept_below: return step::kept_below(a, at(o.b));
    case Op::select: return step::choice(a, at(o.b), at(o.c));
    case Op::table: {
      const Table& table = *program_->tables()[static_cast<std::size_t>(o.b)];
      // derivatives of a table may jump at its knots
      const Range rate = o.c == 0 ? of_table(table, 1, a.value) * a.rate : Range::everything();
      return {table.evaluate(a.middle, o.c), of_table(table, o.c, a.value), rate};
    }
    default: return function(op, a);
  }
}

double EnclosureEvaluator::operand_sizes(Op op, const Program::Operation& o) const {
  const auto size = [&](std::int32_t slot) { return slots_[static_cast<std::size_t>(slot)].value.size(); };
  const int operands = operand_count(op);
  return size(o.a) + (operands > 1 ? size(o.b) : 0) + (operands > 2 ? size(o.c) : 0);
}

void EnclosureEvaluator::run(double half_span) {
  const Program::Operation* operation = program_->operations().data();
  for (const Program::Run& run : program_->runs())
    for (const Program::Operation* end = operation + run.count; operation != end; ++operation)
      slots_[static_cast<std::size_t>(operation->result)] =
          step::closed(apply(run.op, *operation), half_span, operand_sizes(run.op, *operation));
}

}  // namespace armature::internal
