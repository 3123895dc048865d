#include "mechanics/beam_modes.hpp"

#include <Eigen/Eigenvalues>

namespace armature {

std::vector<BeamMode> beam_modes(int elements, bool chord, int count) {
  const int size = 2 * (elements + 1);
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(size, size), M = K;
  for (int e = 0; e < elements; ++e)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        K(2 * e + i, 2 * e + j) += element_matrices::stiffness[i][j];
        M(2 * e + i, 2 * e + j) += element_matrices::mass[i][j];
      }
  std::vector<int> moving;
  for (int i = 1; i < size; ++i)
    if (chord ? i != size - 2 : i != 1) moving.push_back(i);
  const Eigen::MatrixXd k = K(moving, moving), m = M(moving, moving);
  const Eigen::MatrixXd shapes = Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(k, m).eigenvectors();

  std::vector<BeamMode> modes(count);
  for (int c = 0; c < count; ++c) {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(size);
    x(moving) = shapes.col(c);
    Eigen::Index largest;
    Eigen::Map<const Eigen::VectorXd, 0, Eigen::InnerStride<2>>(x.data(), elements + 1).cwiseAbs().maxCoeff(&largest);
    x /= x[2 * largest];
    for (int node = 0; node <= elements; ++node)
      modes[c].w.push_back(x[2 * node]), modes[c].slope.push_back(x[2 * node + 1]);
  }
  return modes;
}

}  // namespace armature
