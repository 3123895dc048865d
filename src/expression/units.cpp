#include "expression/units.hpp"

#include <cassert>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace armature::internal {
namespace {

struct UnitEntry {
  std::string_view symbol;
  double factor;
  Dimension dimension;  // kg, m, s, A, K
  bool takes_prefix;
};

constexpr UnitEntry unit_table[] = {
    {"m", 1, {{0, 1, 0, 0, 0}}, true},
    {"g", 1e-3, {{1, 0, 0, 0, 0}}, true},
    {"tonne", 1e3, {{1, 0, 0, 0, 0}}, false},
    {"s", 1, {{0, 0, 1, 0, 0}}, true},
    {"min", 60, {{0, 0, 1, 0, 0}}, false},
    {"h", 3600, {{0, 0, 1, 0, 0}}, false},
    {"A", 1, {{0, 0, 0, 1, 0}}, true},
    {"K", 1, {{0, 0, 0, 0, 1}}, true},
    {"rad", 1, {}, true},
    {"deg", std::numbers::pi / 180, {}, false},
    {"rev", 2 * std::numbers::pi, {}, false},
    {"rpm", 2 * std::numbers::pi / 60, {{0, 0, -1, 0, 0}}, false},
    {"%", 1e-2, {}, false},
    {"N", 1, {{1, 1, -2, 0, 0}}, true},
    {"J", 1, {{1, 2, -2, 0, 0}}, true},
    {"W", 1, {{1, 2, -3, 0, 0}}, true},
    {"Pa", 1, {{1, -1, -2, 0, 0}}, true},
    {"bar", 1e5, {{1, -1, -2, 0, 0}}, false},
    {"Hz", 1, {{0, 0, -1, 0, 0}}, true},
    {"V", 1, {{1, 2, -3, -1, 0}}, true},
    {"Ohm", 1, {{1, 2, -3, -2, 0}}, true},
    {"H", 1, {{1, 2, -2, -2, 0}}, true},
    {"F", 1, {{-1, -2, 4, 2, 0}}, true},
    // of the inch-pound system, exact by definition; lb is a mass, lbf its weight under standard gravity
    {"in", 0.0254, {{0, 1, 0, 0, 0}}, false},
    {"ft", 0.3048, {{0, 1, 0, 0, 0}}, false},
    {"lb", 0.45359237, {{1, 0, 0, 0, 0}}, false},
    {"oz", 0.45359237 / 16, {{1, 0, 0, 0, 0}}, false},
    {"lbf", 0.45359237 * 9.80665, {{1, 1, -2, 0, 0}}, false},
    {"psi", 0.45359237 * 9.80665 / (0.0254 * 0.0254), {{1, -1, -2, 0, 0}}, false},
    {"hp", 550 * 0.3048 * 0.45359237 * 9.80665, {{1, 2, -3, 0, 0}}, false},
};

struct Prefix {
  char symbol;
  double factor;
};

constexpr Prefix prefix_table[] = {{'n', 1e-9}, {'u', 1e-6}, {'m', 1e-3}, {'c', 1e-2},
                                   {'d', 1e-1}, {'k', 1e3},  {'M', 1e6},  {'G', 1e9}};

const UnitEntry* find_entry(std::string_view symbol) {
  for (const UnitEntry& entry : unit_table)
    if (entry.symbol == symbol) return &entry;
  return nullptr;
}

// Dimensions that are read more easily by the name of their unit.
struct NamedDimension {
  std::string_view name;
  Dimension dimension;
};

constexpr NamedDimension named_dimensions[] = {
    {"N", {{1, 1, -2, 0, 0}}},     {"N m", {{1, 2, -2, 0, 0}}},   {"N/m", {{1, 0, -2, 0, 0}}},
    {"N s/m", {{1, 0, -1, 0, 0}}}, {"N m s", {{1, 2, -1, 0, 0}}}, {"W", {{1, 2, -3, 0, 0}}},
    {"Pa", {{1, -1, -2, 0, 0}}},   {"V", {{1, 2, -3, -1, 0}}},    {"Ohm", {{1, 2, -3, -2, 0}}},
    {"H", {{1, 2, -2, -2, 0}}},
};

constexpr std::string_view base_symbols[] = {"kg", "m", "s", "A", "K"};

// "kg m^2": the factors whose exponent has the given sign.
std::string factors(const Dimension& dimension, int sign) {
  std::string text;
  for (std::size_t i = 0; i < 5; ++i) {
    const int exponent = sign * dimension.exponent[i];
    if (exponent <= 0) continue;
    if (!text.empty()) text += ' ';
    text += base_symbols[i];
    if (exponent > 1) text += fmt::format("^{}", exponent);
  }
  return text;
}

}  // namespace

std::optional<Unit> find_unit(std::string_view symbol) {
  if (const UnitEntry* entry = find_entry(symbol)) return Unit{entry->factor, entry->dimension};
  if (symbol.size() < 2) return std::nullopt;
  for (const Prefix& prefix : prefix_table) {
    if (symbol.front() != prefix.symbol) continue;
    const UnitEntry* entry = find_entry(symbol.substr(1));
    if (entry && entry->takes_prefix) return Unit{prefix.factor * entry->factor, entry->dimension};
  }
  return std::nullopt;
}

Unit unit_of(std::string_view text) {
  if (text == "1") return {1, dimensionless};
  const Formula one = parse_formula("1 " + std::string(text), {});
  assert(one.root->kind == Syntax::Kind::number);
  return {one.root->value, one.root->dimension.value_or(dimensionless)};
}

std::vector<std::string> unit_symbols() {
  std::vector<std::string> symbols{"kg", "mm"};
  for (const UnitEntry& entry : unit_table) symbols.emplace_back(entry.symbol);
  return symbols;
}

Dimension operator*(const Dimension& a, const Dimension& b) {
  Dimension result;
  for (std::size_t i = 0; i < 5; ++i) result.exponent[i] = a.exponent[i] + b.exponent[i];
  return result;
}

Dimension operator/(const Dimension& a, const Dimension& b) { return a * power(b, -1); }

Dimension power(const Dimension& a, int exponent) {
  Dimension result;
  for (std::size_t i = 0; i < 5; ++i) result.exponent[i] = a.exponent[i] * exponent;
  return result;
}

std::optional<Dimension> power(const Dimension& a, double exponent) {
  Dimension result;
  for (std::size_t i = 0; i < 5; ++i) {
    const double value = a.exponent[i] * exponent;
    if (value != std::round(value) || std::abs(value) > 100) return std::nullopt;
    result.exponent[i] = static_cast<int>(value);
  }
  return result;
}

std::string to_string(const Dimension& dimension) {
  for (const NamedDimension& named : named_dimensions)
    if (named.dimension == dimension) return std::string(named.name);
  const std::string above = factors(dimension, 1), below = factors(dimension, -1);
  const bool several = below.find(' ') != std::string::npos;
  std::string text = above.empty() ? "1" : above;
  if (!below.empty()) text += several ? "/(" + below + ")" : "/" + below;
  return text;
}

}  // namespace armature::internal
