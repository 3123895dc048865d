// The Radau IIA method with three points, of order 5:  X_j = x + h sum_i A_ji F(X_i),  the last point is the end of the step.
// (E. Hairer, G. Wanner: Solving Ordinary Differential Equations II, IV.5)
#pragma once

#include <Eigen/Core>
#include <cmath>

namespace armature::internal::radau {

inline constexpr int points = 3;

inline const Eigen::Vector3d c{(4 - std::sqrt(6.0)) / 10, (4 + std::sqrt(6.0)) / 10, 1};

inline const Eigen::Matrix3d A = [] {
  const double r = std::sqrt(6.0);
  Eigen::Matrix3d A;
  A << (88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225,  //
      (296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225,   //
      (16 - r) / 36, (16 + r) / 36, 1.0 / 9;
  return A;
}();

// Weights of the values at 0, c1, c2 and 1 of the polynomial through them, at x of the interval.
inline Eigen::Vector4d interpolation(double x) {
  const double at[] = {0, c[0], c[1], 1};
  Eigen::Vector4d weights;
  for (int i = 0; i < 4; ++i) {
    weights[i] = 1;
    for (int j = 0; j < 4; ++j)
      if (j != i) weights[i] *= (x - at[j]) / (at[i] - at[j]);
  }
  return weights;
}

}  // namespace armature::internal::radau
