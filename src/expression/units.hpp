// Units of measurement: a factor to SI and a dimension each, and the arithmetic of dimensions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expression/syntax.hpp"

namespace armature::internal {

// 1 unit = factor, in SI.
struct Unit {
  double factor = 1;
  Dimension dimension;
};

// A unit by its symbol, prefix included: "kN", "mm", "rpm", "%".
std::optional<Unit> find_unit(std::string_view symbol);

// A unit expression such as "kg*m^2" or "m/s^2". The text is part of this program, so it is assumed to be one.
Unit unit_of(std::string_view text);

// Symbols without prefixes, for "did you mean …?" and for the reference of the file format.
std::vector<std::string> unit_symbols();

Dimension operator*(const Dimension& a, const Dimension& b);
Dimension operator/(const Dimension& a, const Dimension& b);
Dimension power(const Dimension& a, int exponent);
// a^exponent, or nothing if an exponent of the result is not a whole number.
std::optional<Dimension> power(const Dimension& a, double exponent);

inline constexpr Dimension dimensionless{};
inline constexpr Dimension mass_dimension{{1, 0, 0, 0, 0}};
inline constexpr Dimension length_dimension{{0, 1, 0, 0, 0}};
inline constexpr Dimension time_dimension{{0, 0, 1, 0, 0}};

}  // namespace armature::internal
