#include "control/sampled.hpp"

#include <cmath>

namespace armature::internal {

namespace {

double constant(EquationsBuilder& builder, const Formula& formula) {
  const Expression x = builder.scalar(formula);
  if (!x.is_constant()) throw FormulaError(formula.where, "must be a constant");
  return x.value();
}

// The nearest integer. Only a sample reads it, so it must not be an event function, as floor is: adding 1.5 * 2^52 leaves no
// binary digits behind the point, and subtracting it gives the integer, for |x| < 2^51.
Expression rounded(Expression x) {
  constexpr double no_fraction = 6755399441055744.0;
  return (x + no_fraction) - no_fraction;
}

// 1 where x > 0, else 0, exactly: x/|x| is 1 or -1 but for rounding.
Expression positive(Expression x) { return rounded(0.5 + 0.5 * x / sqrt(x * x + 1e-300)); }

}  // namespace

Sampled::Sampled(EquationsBuilder& builder, const Controller& controller) : name_(controller.name) {
  period_ = constant(builder, controller.period);
  quantization_ = constant(builder, controller.quantization);
  const double delay = constant(builder, controller.delay);
  const double whole = std::floor(delay / period_ + 1e-9), rest = std::max(0.0, delay - whole * period_);
  const double offset = rest < 1e-9 * period_ ? 0 : rest;
  // with a whole delay the output itself is the last register
  const int count = static_cast<int>(whole) + (offset > 0 ? 1 : 0);
  for (int k = 0; k < count; ++k)
    registers_.push_back(builder.add_discrete(name_ + ".pending" + std::to_string(k + 1), period_, 0));
  output_ = builder.add_discrete(name_, period_, offset);
}

Expression Sampled::memory(EquationsBuilder& builder, const std::string& name) const {
  return builder.add_discrete(name_ + "." + name, period_, 0);
}

Expression Sampled::measured(Expression x) const {
  return quantization_ > 0 ? quantization_ * rounded(x / quantization_) : x;
}

void Sampled::close(EquationsBuilder& builder, Expression computed) const {
  Expression before = computed;
  for (const Expression& pending : registers_) {
    builder.set_next(pending, before);
    before = pending;
  }
  builder.set_next(output_, before);
}

Expression limited(EquationsBuilder& builder, const Controller& controller, Expression u) {
  builder.graph().set_mode_label("limit of " + controller.name);
  if (controller.upper.given()) u = min(u, builder.scalar(controller.upper));
  if (controller.lower.given()) u = max(u, builder.scalar(controller.lower));
  return u;
}

Expression limited_at_sample(EquationsBuilder& builder, const Controller& controller, Expression u) {
  if (controller.upper.given()) {
    const Expression upper = builder.scalar(controller.upper);
    u = select(positive(u - upper), upper, u);
  }
  if (controller.lower.given()) {
    const Expression lower = builder.scalar(controller.lower);
    u = select(positive(lower - u), lower, u);
  }
  return u;
}

}  // namespace armature::internal
