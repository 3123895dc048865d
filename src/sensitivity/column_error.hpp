// The error of eight columns over a part of a step, against what is allowed.
#pragma once

#include <span>

#include "step/lanes.hpp"

namespace armature::internal {

struct ColumnError {
  std::span<const int> tested;       // rows that count
  std::span<const double> weights;   // of the stages
  double h, tolerance, column_floor;  // floor: entries that small against the largest of their column need not be as accurate
  // rows of a pack: rates (one stage behind the other), the end, the largest values so far, and errors that do not count
  int nx;
  const LaneRow *rates, *end, *seen, *floor;
};

// Each entry against the largest value it has had, and against a small part of the largest entry of its column. 1: as large as allowed.
double largest_error(const ColumnError& error);

// seen = max(seen, |x|)
void note_largest(int rows, const LaneRow* x, LaneRow* seen);

}  // namespace armature::internal
