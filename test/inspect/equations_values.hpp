// The numbers that printed equations stand for.
#pragma once

#include <cmath>
#include <map>
#include <stdexcept>
#include <string>

#include "inspect/equations.hpp"

namespace armature::internal {

// Values of symbols by name.
using SymbolValues = std::map<std::string, double>;

inline double value_of(const PrintingSum& sum, const PrintingAlgebra& algebra, const SymbolValues& values);

inline double value_of_symbol(int index, const PrintingAlgebra& algebra, const SymbolValues& values) {
  const PrintingSymbol& symbol = algebra[index];
  if (symbol.kind != PrintingSymbol::Kind::call) return values.at(symbol.name);
  const auto argument = [&](int i) { return value_of(symbol.arguments.at(i), algebra, values); };
  if (symbol.name.empty()) return argument(0);
  if (symbol.name == "sqrt") return std::sqrt(argument(0));
  if (symbol.name == "step") return argument(0) >= 0 ? 1 : 0;
  if (symbol.name == "if") return argument(0) > 0.5 ? argument(1) : argument(2);
  throw std::logic_error("no value of " + symbol.name);
}

inline double value_of(const PrintingSum& sum, const PrintingAlgebra& algebra, const SymbolValues& values) {
  double total = 0;
  for (const auto& [monomial, factor] : sum) {
    double term = factor, angle = monomial.angle.phase;
    for (const auto& [symbol, n] : monomial.powers) term *= std::pow(value_of_symbol(symbol, algebra, values), n);
    for (const auto& [symbol, k] : monomial.angle.factors) angle += k * value_of_symbol(symbol, algebra, values);
    if (monomial.wave == Wave::sine) term *= std::sin(angle);
    if (monomial.wave == Wave::cosine) term *= std::cos(angle);
    total += term;
  }
  return total;
}

}  // namespace armature::internal
