// Arithmetic of eight columns of S over a part of a step, one version for every vector width of the machine. Numbers of a pack: rows of
// eight one behind the other.
#pragma once

#include <span>

#include "step/lanes.hpp"

namespace armature::internal {

// result = start + h sum of weights_i rates_i; rates: `rows` rows a stage. Weights that are zero cost nothing.
void add_rates(int rows, double h, std::span<const double> weights, const LaneRow* rates, const LaneRow* start,
               LaneRow* result);

struct ColumnError {
  std::span<const int> tested;  // rows that count
  double tolerance;
  double column_floor;  // entries that small against the largest of their column need not be as accurate
  const LaneRow *error, *end, *seen, *floor;  // seen: the largest values so far; floor: errors that do not count
};

// Each entry against the largest value it has had, and against a small part of the largest entry of its column. 1: as large as allowed.
double largest_error(const ColumnError& error);

// seen = max(seen, |x|)
void note_largest(int rows, const LaneRow* x, LaneRow* seen);

bool all_finite(int rows, const LaneRow* x);

}  // namespace armature::internal
