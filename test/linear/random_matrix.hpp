#pragma once

#include <Eigen/Core>
#include <random>

namespace armature::internal {

// Normally distributed entries.
inline Eigen::MatrixXd random_matrix(int rows, int columns, std::mt19937& generator) {
  std::normal_distribution<double> normal;
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(generator); });
}
inline Eigen::MatrixXd random_matrix(int rows, int columns) {
  std::mt19937 generator(5);
  return random_matrix(rows, columns, generator);
}

}  // namespace armature::internal
