// What is known of a number or of a condition before a motion has ended: bounds, and a third outcome.
#pragma once

#include <limits>

namespace armature::internal {

struct Interval {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  static Interval point(double x) { return {x, x}; }
};

enum class Truth { no, yes, open };

}  // namespace armature::internal
