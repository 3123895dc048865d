// Whether n numbers are finite: x - x is zero then, and else not a number.
#pragma once

#include <Eigen/Core>

namespace armature::internal {

inline bool all_finite(const double* x, int n) {
  const Eigen::Map<const Eigen::ArrayXd> numbers(x, n);
  return (numbers - numbers).sum() == 0;
}

}  // namespace armature::internal
