#include "expression/second_rates.hpp"

namespace armature::internal {

namespace {

Range twice(Range x) { return {2 * x.low, 2 * x.high}; }
Range half(Range x) { return {0.5 * x.low, 0.5 * x.high}; }

}  // namespace

SecondRates::SecondRates(const Program& program) : EnclosureEvaluator(program), seconds_(slots_.size()) {}

void SecondRates::set(int input, const Moving& x) {
  slots_[static_cast<std::size_t>(input)] = {0.5 * (x.value.low + x.value.high), x.value, x.rate};
  seconds_[static_cast<std::size_t>(input)] = x.second;
}

double SecondRates::largest(int output) const {
  return second(program_->output_slots()[static_cast<std::size_t>(output)]).size();
}

bool SecondRates::rests(std::int32_t slot) const {
  const Range rate = at(slot).rate;
  return rate.low == 0 && rate.high == 0 && second(slot).low == 0 && second(slot).high == 0;
}

// result: the operation's value and rate.
Range SecondRates::second_of(Op op, const Program::Operation& o, const Enclosure& result) const {
  const Enclosure& a = at(o.a);
  const auto b = [&]() -> const Enclosure& { return at(o.b); };
  switch (op) {
    case Op::add: return second(o.a) + second(o.b);
    case Op::sub: return second(o.a) - second(o.b);
    case Op::neg: return -second(o.a);
    case Op::mul:
      if (o.a == o.b) return twice(square(a.rate) + a.value * second(o.a));
      return second(o.a) * b().value + twice(a.rate * b().rate) + a.value * second(o.b);
    case Op::div: return (second(o.a) - twice(result.rate * b().rate) - result.value * second(o.b)) / b().value;
    case Op::sqrt: return (half(second(o.a)) - square(result.rate)) / result.value;
    case Op::sin:
    case Op::cos: {  // f'' = -f a'^2 + f' a'', where |f'| <= 1
      const double turn = second(o.a).size();
      return Range{-turn, turn} - result.value * square(a.rate);
    }
    case Op::select:
      if (a.value.low == 1 && a.value.high == 1) return second(o.b);
      if (a.value.low == 0 && a.value.high == 0) return second(o.c);
      return Range::everything();
    default: {
      const int operands = op == Op::table ? 1 : operand_count(op);
      const bool all = rests(o.a) && (operands < 2 || rests(o.b)) && (operands < 3 || rests(o.c));
      return all ? Range::point(0) : Range::everything();
    }
  }
}

void SecondRates::run() {
  const Program::Operation* operation = program_->operations().data();
  for (const Program::Run& run : program_->runs())
    for (const Program::Operation* end = operation + run.count; operation != end; ++operation) {
      // A result may overwrite the slot of one of its operands: both are computed before either is stored.
      const Enclosure result = apply(run.op, *operation);
      const Range second = widened(second_of(run.op, *operation, result));
      const auto slot = static_cast<std::size_t>(operation->result);
      slots_[slot] = {result.middle, widened(result.value), widened(result.rate)};
      seconds_[slot] = second;
    }
}

}  // namespace armature::internal
