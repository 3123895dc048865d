// A linear filter of one signal u, from the coefficients of its transfer function:
//
//   y(s)   b_n s^n + … + b_1 s + b_0
//   ---- = ---------------------------------
//   u(s)   a_n s^n + … + a_1 s + a_0
//
// In observer form, with all coefficients over a_n, it has one state for each power of s:
//
//   x_1' = b_0 u - a_0 y,   x_k' = x_(k-1) + b_(k-1) u - a_(k-1) y,   y = x_n + b_n u
//
// Where b_n = 0 the output needs the states only: such a filter breaks an algebraic loop.
#pragma once

#include <vector>

#include "mechanics/builder.hpp"

namespace armature::internal {

struct FilterCoefficients {
  std::vector<Expression> numerator, denominator;  // from the highest power of s to the constant, as files have them
};

// Throws FormulaError where there is no such filter.
void offer_filter(EquationsBuilder& builder, const Controller& controller, const FilterCoefficients& coefficients);

}  // namespace armature::internal
