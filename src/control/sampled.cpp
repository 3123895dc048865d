#include "control/sampled.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model/limits.hpp"

namespace armature::internal {

namespace {

// A time of samples, or between them: a number, not an input of the programs.
double constant(EquationsBuilder& builder, const Formula& formula) {
  const Expression x = builder.scalar(formula);
  if (!x.is_constant())
    throw FormulaError(formula.where,
                       "the times of samples cannot be varied inside the compiled model; run the model once per value "
                       "instead");
  return x.value();
}

// The nearest integer. Only a sample reads it, so it must not be an event function, as floor is: adding 1.5 * 2^52 leaves no
// binary digits behind the point, and subtracting it gives the integer, for |x| < 2^51.
Expression rounded(Expression x) {
  constexpr double no_fraction = 6755399441055744.0;
  return (x + no_fraction) - no_fraction;
}

namespace sampled_keys {
using namespace keys;
constexpr KeySpec table[] = {
    {"period", "time between samples; the first sample is at t = 0", number, "s", "required", positive},
    {"delay", "delay from a sample to its output", number, "s", "0", not_negative},
    {"quantization", "resolution of the measurement", number, "", "0", not_negative},
};
}  // namespace sampled_keys

}  // namespace

FormatSection sampled_format() { return {"sampled", "a sampled controller", sampled_keys::table}; }

void read_sampling(const MapReader& map, Controller& controller, Reading& reading) {
  read_values_of(map, "sampled", sampled_keys::table, controller, reading);
}

// x/|x| is 1 or -1 but for rounding.
Expression positive_at_sample(Expression x) { return rounded(0.5 + 0.5 * x / sqrt(x * x + 1e-300)); }

Sampled::Sampled(EquationsBuilder& builder, const Controller& controller, const std::string& name) : name_(name) {
  period_ = constant(builder, controller.values["sampled.period"]);
  quantization_ = builder.scalar(controller.values["sampled.quantization"]);
  if (!quantization_.is_constant())
    builder.require_positive(quantization_, controller.values["sampled.quantization"].where,
                             "must be positive where it is varied");
  const double delay = constant(builder, controller.values["sampled.delay"]);
  if (delay / period_ > limits::held_samples)
    throw FormulaError(
        controller.values["sampled.delay"].where,
        fmt::format("the delay of {:g} s lasts for {:.3g} samples of {:g} s, more than the limit of {:g}; sample less "
                    "often, or shorten the delay",
                    delay, delay / period_, period_, limits::held_samples));
  constexpr double same_sample = 1e-9;  // of a period
  const double whole = std::floor(delay / period_ + same_sample), rest = std::max(0.0, delay - whole * period_);
  const double offset = rest < same_sample * period_ ? 0 : rest;
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
  return quantization_.is(0) ? x : quantization_ * rounded(x / quantization_);
}

void Sampled::close(EquationsBuilder& builder, Expression computed) const {
  Expression before = computed;
  for (const Expression& pending : registers_) {
    builder.set_next(pending, before);
    before = pending;
  }
  builder.set_next(output_, before);
}

}  // namespace armature::internal
