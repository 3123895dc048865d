// Filters of a signal: a transfer function by its coefficients, low-pass filters of first and second order, and a delay.
//
//   low_pass   1/(1 + s/w)   or   1/(1 + 2 D s/w + s^2/w^2),   w = 2 pi frequency
//   delay      exp(-s T) by Pade's approximation with a numerator of order n - 1, so that nothing passes at once; good for
//              frequencies below about n/T
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "control/controller_kinds.hpp"
#include "control/linear_filter.hpp"
#include "expression/units.hpp"
#include "model/map_reader.hpp"

namespace armature::internal {
namespace {

namespace filter_format {
using namespace keys;
constexpr KeySpec transfer_function[] = {
    {"type", "transfer_function", text, "", "required"},
    {"of", "the signal that is filtered", number, "", "required", any, moves},
    {"numerator", "coefficients from the highest power of s to the constant, in SI", Holds::any_value, "", "required"},
    {"denominator", "the same, at least as many", Holds::any_value, "", "required"},
    {"start", "the output at the start, at rest", number, "", "0"},
};
constexpr KeySpec low_pass[] = {
    {"type", "low_pass", text, "", "required"},
    {"of", "the signal that is filtered", number, "", "required", any, moves},
    {"frequency", "corner frequency", number, "Hz", "required", positive},
    {"order", "1 or 2", number, "", "1"},
    {"damping", "damping ratio of order 2", number, "", "0.7071", positive},
    {"start", "the output at the start, at rest", number, "", "0"},
};
constexpr KeySpec delay[] = {
    {"type", "delay", text, "", "required"},
    {"of", "the signal that is delayed", number, "", "required", any, moves},
    {"time", "delay", number, "s", "required", positive},
    {"order", "order of the Padé approximation, 1 to 8", number, "", "4"},
    {"start", "the output at the start, at rest", number, "", "0"},
};
}  // namespace filter_format

int whole_number(EquationsBuilder& builder, const Controller& controller, int otherwise, int most) {
  const Formula& formula = controller.values["order"];
  const Expression order = builder.scalar(formula, static_cast<double>(otherwise));
  if (!order.is_constant() || order.value() != std::floor(order.value()) || order.value() < 1 || order.value() > most)
    throw FormulaError(formula.where, fmt::format("expected a whole number from 1 to {}", most));
  return static_cast<int>(order.value());
}

FilterCoefficients low_pass_filter(EquationsBuilder& builder, const Controller& controller) {
  const Formula& frequency = controller.values["frequency"];
  for (const char* angular : {"rad", "rpm", "deg"})
    if (frequency.text.find(angular) != std::string::npos)
      throw FormulaError(frequency.where, "expected a frequency in Hz, not an angular velocity; divide it by 2*pi");
  const Expression T = 1 / (2 * std::numbers::pi * builder.scalar(frequency));
  if (whole_number(builder, controller, 1, 2) == 1) {
    const Formula& damping = controller.values["damping"];
    if (damping.given()) throw FormulaError(damping.where, "a filter of order 1 has no damping ratio; write order: 2");
    return {{1.0}, {T, 1.0}};
  }
  return {{1.0}, {T * T, 2 * builder.scalar(controller.values["damping"], std::numbers::sqrt2 / 2) * T, 1.0}};
}

// With m = n - 1, of (sT)^k: (m + n - k)! n! / ((m + n)! k! (n - k)!) in the denominator, and in the numerator the same with m in
// place of n, with alternating signs. Each is the one before it times a ratio.
FilterCoefficients delay_filter(EquationsBuilder& builder, const Controller& controller) {
  const Expression T = builder.scalar(controller.values["time"]);
  const int n = whole_number(builder, controller, 4, 8);
  const auto series = [&](int order, double sign) {
    std::vector<Expression> coefficients;
    Expression power = 1.0;
    double c = 1;
    for (int k = 0; k <= order; ++k) {
      coefficients.insert(coefficients.begin(), c * power);
      power = power * T;
      c *= sign * (order - k) / ((2.0 * n - 1 - k) * (k + 1));
    }
    return coefficients;
  };
  const std::vector<Expression> numerator = series(n - 1, -1), denominator = series(n, 1);
  return {numerator, denominator};
}

// Coefficients of one polynomial are of one dimension once each is divided by its power of seconds; bare numbers fit any.
void check_dimensions(EquationsBuilder& builder, const Formula& polynomial) {
  if (polynomial.root->kind != Syntax::Kind::list) return;
  std::optional<Dimension> common;
  const auto& entries = polynomial.root->children;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const int power_of_s = static_cast<int>(entries.size() - 1 - i);
    const auto given = builder.value({polynomial.text, polynomial.where, entries[i]}).dimension;
    if (!given) continue;
    const Dimension here = *given / power(time_dimension, power_of_s);
    if (common && here != *common)
      throw FormulaError(polynomial.where, fmt::format("coefficient {} of '{}' is in {}, but the others call for {}",
                                                       i + 1, polynomial.text, to_string(*given),
                                                       to_string(*common * power(time_dimension, power_of_s))));
    common = here;
  }
}

FilterCoefficients given_filter(EquationsBuilder& builder, const Controller& controller) {
  const Formula &numerator = controller.values["numerator"], &denominator = controller.values["denominator"];
  check_dimensions(builder, numerator);
  check_dimensions(builder, denominator);
  FilterCoefficients filter{builder.value(numerator).parts, builder.value(denominator).parts};
  while (filter.numerator.size() > 1 && filter.numerator.front().is(0))
    filter.numerator.erase(filter.numerator.begin());
  return filter;
}

class Filter final : public ControllerKind {
 public:
  using Coefficients = FilterCoefficients (*)(EquationsBuilder&, const Controller&);
  Filter(FormatSection format, Coefficients coefficients) : format_(format), coefficients_(coefficients) {}

  FormatSection format() const override { return format_; }
  void read(const MapReader& map, Controller& controller, Reading&) const override {
    read_values(map, format_.keys, controller);
  }
  void offer(EquationsBuilder& builder, const Controller& controller) const override {
    try {
      offer_filter(builder, controller, coefficients_(builder, controller));
    } catch (const FormulaError&) {
      builder.offer(controller.name, [] { return Value(Expression(0.0)); });  // who uses it is not to blame
      throw;
    }
  }

 private:
  FormatSection format_;
  Coefficients coefficients_;
};

}  // namespace

const ControllerKind& transfer_function_kind() {
  static const Filter kind(
      {"controllers: transfer_function", "a linear filter by its coefficients", filter_format::transfer_function},
      given_filter);
  return kind;
}

const ControllerKind& low_pass_kind() {
  static const Filter kind({"controllers: low_pass", "a low-pass filter", filter_format::low_pass}, low_pass_filter);
  return kind;
}

const ControllerKind& delay_kind() {
  static const Filter kind({"controllers: delay", "a signal delayed by a fixed time", filter_format::delay},
                           delay_filter);
  return kind;
}

}  // namespace armature::internal
