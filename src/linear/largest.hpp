// The largest |x_i| of n numbers; 0 of none.
#pragma once

#include <Eigen/Core>

namespace armature::internal {

inline double largest(const double* x, int n) {
  return n > 0 ? Eigen::Map<const Eigen::ArrayXd>(x, n).abs().maxCoeff() : 0;
}

inline double largest(const Eigen::VectorXd& x) { return largest(x.data(), static_cast<int>(x.size())); }

}  // namespace armature::internal
