// What a sweep says about one result: its distribution, and how much of its variance each variable explains by itself.
#pragma once

#include <span>
#include <vector>

#include "study/design.hpp"

namespace armature::internal {

struct Distribution {
  long count = 0;  // values that are numbers; the others are left out
  double mean = 0, deviation = 0;
  double least = 0, q05 = 0, q25 = 0, median = 0, q75 = 0, q95 = 0, most = 0;
};
Distribution distribution(std::span<const double> values);

// The value below which a share of a sorted list lies, linear between its entries.
double quantile(const std::vector<double>& sorted, double share);

// The main effect of each variable: the variance of the mean result given the variable, over the whole variance.
//   grid: means over the other axes, exact. The shares add up to 1 where the variables do not interact.
//   else: means of bins with equally many points, their number about the cube root of that of the points; what bins of pure
//         noise would explain is taken off:  (SSB - (bins - 1) MSW) / SST, not below zero.
// A result that varies by no more than round-off has none.
std::vector<double> main_effects(const Points& points, std::span<const double> values, bool grid);

}  // namespace armature::internal
