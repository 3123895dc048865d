#include "model/unit_inference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "expression/units.hpp"

namespace armature::internal {
namespace {

using Kind = Syntax::Kind;

constexpr std::string_view of_numbers[] = {"sin", "cos",   "tan",  "sinh",      "cosh", "tanh",    "exp",      "log",
                                           "ln",  "log10", "sign", "unit_step", "ramp", "quintic", "trapezoid"};
constexpr std::string_view of_angles[] = {"asin", "acos", "atan", "atan2"};
constexpr std::string_view of_their_argument[] = {"abs", "floor", "mod", "min", "max", "clamp", "norm"};

template <class List>
bool is_among(const List& list, const std::string& word) {
  return std::ranges::find(list, word) != std::end(list);
}

bool is_power_of_time(const Dimension& dimension) {
  Dimension rest = dimension;
  rest.exponent[2] = 0;
  return rest == dimensionless;
}

class Inference {
 public:
  explicit Inference(const NameUnits& names) : names_(names) {}

  InferredUnit of(const Syntax& syntax) const {
    switch (syntax.kind) {
      case Kind::number: return {syntax.dimension};
      case Kind::name: return syntax.name == "pi" ? InferredUnit{dimensionless} : names_(syntax.name);
      case Kind::element: return names_(syntax.name);
      case Kind::list:
      case Kind::add:
      case Kind::subtract: return common(syntax, 0);
      case Kind::negate:
      case Kind::component: return of(child(syntax, 0));
      case Kind::multiply: return product(of(child(syntax, 0)), of(child(syntax, 1)), 1);
      case Kind::divide: return quotient(child(syntax, 0), child(syntax, 1));
      case Kind::power: return power_of(child(syntax, 0), child(syntax, 1));
      case Kind::prime: return product(of(child(syntax, 0)), {time_dimension}, -1);
      case Kind::call: return call(syntax);
      default: return {};  // a condition
    }
  }

 private:
  static const Syntax& child(const Syntax& syntax, std::size_t i) { return *syntax.children[i]; }

  // Of several that are added or chosen from: what is known of one holds for all.
  InferredUnit common(const Syntax& syntax, std::size_t first) const {
    InferredUnit result;
    for (std::size_t i = first; i < syntax.children.size(); ++i) {
      const InferredUnit each = of(child(syntax, i));
      if (!each.dimension) continue;
      if (result.dimension && *result.dimension != *each.dimension) return {};
      result = {each.dimension, result.turns || each.turns};
    }
    return result;
  }

  static bool counts(const Syntax& syntax) {
    return syntax.kind == Kind::number && !syntax.dimension && syntax.value >= 1 && syntax.value < 10 &&
           syntax.value == std::round(syntax.value);
  }

  // What is divided by a whole number below ten is a part of something; 1/2 is a pure number.
  InferredUnit quotient(const Syntax& a, const Syntax& b) const {
    if (!counts(b)) return product(of(a), divisor(b), -1);
    return counts(a) ? InferredUnit{dimensionless} : of(a);
  }

  // a/(2*b) is a/2/b.
  InferredUnit divisor(const Syntax& syntax) const {
    if (counts(syntax)) return {dimensionless};
    if (syntax.kind != Kind::multiply) return of(syntax);
    return product(divisor(child(syntax, 0)), divisor(child(syntax, 1)), 1);
  }

  // What is in proportion to an angle is an angle, unless a length or a torque is.
  static InferredUnit product(const InferredUnit& a, const InferredUnit& b, int sign) {
    if (!a.dimension || !b.dimension) return {};
    const InferredUnit& other = a.turns ? b : a;
    const bool turns = a.turns != b.turns && is_power_of_time(*other.dimension) && (a.turns || sign > 0);
    return {sign > 0 ? *a.dimension * *b.dimension : *a.dimension / *b.dimension, turns};
  }

  InferredUnit power_of(const Syntax& base, const Syntax& exponent) const {
    const Syntax& number = exponent.kind == Kind::negate ? child(exponent, 0) : exponent;
    if (number.kind != Kind::number || number.dimension) return {};
    const InferredUnit unit = of(base);
    if (!unit.dimension) return {};
    return {power(*unit.dimension, exponent.kind == Kind::negate ? -number.value : number.value)};
  }

  InferredUnit call(const Syntax& syntax) const {
    if (syntax.children.empty()) return {};
    const auto argument = [&](std::size_t i) { return of(child(syntax, i)); };
    if (is_among(of_numbers, syntax.name)) return {dimensionless};
    if (is_among(of_angles, syntax.name)) return {dimensionless, true};
    if (is_among(of_their_argument, syntax.name)) return common(syntax, 0);
    if (syntax.name == "if") return common(syntax, 1);
    if (syntax.name == "sqrt" && argument(0).dimension) return {power(*argument(0).dimension, 0.5)};
    if (syntax.name == "norm2") return product(argument(0), argument(0), 1);
    if (syntax.children.size() != 2) return {};
    if (syntax.name == "dot" || syntax.name == "cross") return product(argument(0), argument(1), 1);
    if (syntax.name == "pow") return power_of(child(syntax, 0), child(syntax, 1));
    return {};  // a table
  }

  const NameUnits& names_;
};

}  // namespace

std::string InferredUnit::text() const {
  if (!dimension) return "";
  if (turns && *dimension == dimensionless) return "rad";
  if (turns && is_power_of_time(*dimension)) {
    const int exponent = dimension->exponent[2];
    return exponent == 1 ? "rad s" : exponent == -1 ? "rad/s" : "rad/s^" + std::to_string(-exponent);
  }
  return *dimension == dimensionless ? "" : to_string(*dimension);
}

InferredUnit inferred_unit(const Syntax& syntax, const NameUnits& names) { return Inference(names).of(syntax); }

InferredUnit unit_of_text(const std::string& unit) {
  if (unit.empty()) return {};
  std::string product = unit;
  std::ranges::replace(product, ' ', '*');
  try {
    return {unit_of(product).dimension, unit.starts_with("rad")};
  } catch (const FormulaError&) {
    return {};
  }
}

InferredUnit force_along(const InferredUnit& quantity) {
  static const Dimension work = unit_of("J").dimension;
  if (!quantity.dimension) return {};
  return {work / *quantity.dimension};
}

}  // namespace armature::internal
