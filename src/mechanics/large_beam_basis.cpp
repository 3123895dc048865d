#include "mechanics/large_beam_basis.hpp"

#include "linear/decompositions.hpp"

namespace armature::internal::large_beam {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// P_0 … P_4 at z, by their recursion.
std::array<double, shapes + 1> legendre(double z) {
  std::array<double, shapes + 1> P{1, z};
  for (int k = 1; k < shapes; ++k) P[k + 1] = ((2 * k + 1) * z * P[k] - k * P[k - 1]) / (k + 1);
  return P;
}

// Lagrange's polynomial that is 1 at the Gauss point i and 0 at the others.
double lagrange(int i, double x) {
  const Weights& at = gauss_places();
  double product = 1;
  for (int k = 0; k < points; ++k)
    if (k != i) product *= (x - at[k]) / (at[i] - at[k]);
  return product;
}

// Rows: Gauss points of the elements, one after another. Columns: coordinates.
MatrixXd turns_at_points(int elements) {
  MatrixXd turn = MatrixXd::Zero(points * elements, shapes * elements);
  for (int e = 0; e < elements; ++e)
    for (int i = 0; i < points; ++i) {
      for (int before = 0; before < e; ++before) turn(points * e + i, shapes * before) = 1;
      const Shapes own = turns(gauss_places()[i]);
      for (int k = 0; k < shapes; ++k) turn(points * e + i, shapes * e + k) = own[k];
    }
  return turn;
}

// The integral of the turns, over h.
MatrixXd deflections_at_points(int elements) {
  const MatrixXd turn = turns_at_points(elements);
  MatrixXd deflection = MatrixXd::Zero(turn.rows(), turn.cols());
  Eigen::RowVectorXd before = Eigen::RowVectorXd::Zero(turn.cols());
  for (int e = 0; e < elements; ++e) {
    for (int j = 0; j < points; ++j) {
      const Weights weights = integral_weights(gauss_places()[j]);
      deflection.row(points * e + j) = before;
      for (int i = 0; i < points; ++i) deflection.row(points * e + j) += weights[i] * turn.row(points * e + i);
    }
    for (int i = 0; i < points; ++i) before += gauss_weights()[i] * turn.row(points * e + i);
  }
  return deflection;
}

Matrices matrices_of(const MatrixXd& moved, const VectorXd& K, int elements) {
  VectorXd weights(moved.rows());
  for (Eigen::Index r = 0; r < weights.size(); ++r) weights[r] = gauss_weights()[static_cast<std::size_t>(r % points)];
  Matrices result;
  result.K = K.replicate(elements, 1).asDiagonal();
  result.M = moved.transpose() * weights.asDiagonal() * moved;
  const SymmetricEigenpairs modal = eigenpairs(result.K, result.M);
  const MatrixXd MV = result.M * modal.vectors;
  result.C = MV * modal.values.cwiseMax(0).cwiseSqrt().asDiagonal() * MV.transpose();
  return result;
}

VectorXd orthogonal_stiffness() {
  VectorXd K(shapes);
  for (int k = 0; k < shapes; ++k) K[k] = 1.0 / (2 * k + 1);
  return K;
}

}  // namespace

// int P_k = (P_k+1 - P_k-1)/(2 k + 1), and dxi = dz/2
Shapes turns(double xi) {
  const auto P = legendre(2 * xi - 1);
  Shapes S{xi};
  for (int k = 1; k < shapes; ++k) S[k] = (P[k + 1] - P[k - 1]) / (2 * (2 * k + 1));
  return S;
}

Shapes curvatures(double xi) {
  const auto P = legendre(2 * xi - 1);
  Shapes values{};
  for (int k = 0; k < shapes; ++k) values[k] = P[k];
  return values;
}

const Weights& gauss_places() {
  static constexpr double a = 0.9324695142031520278, b = 0.6612093864662645137, c = 0.2386191860831969086;
  static const Weights places{(1 - a) / 2, (1 - b) / 2, (1 - c) / 2, (1 + c) / 2, (1 + b) / 2, (1 + a) / 2};
  return places;
}

const Weights& gauss_weights() {
  static constexpr double a = 0.1713244923791703450 / 2, b = 0.3607615730481386076 / 2, c = 0.4679139345726910474 / 2;
  static const Weights weights{a, b, c, c, b, a};
  return weights;
}

Weights integral_weights(double xi) {
  if (xi == 1) return gauss_weights();
  Weights weights{};
  for (int i = 0; i < points; ++i)
    for (int g = 0; g < points; ++g) weights[i] += xi * gauss_weights()[g] * lagrange(i, xi * gauss_places()[g]);
  return weights;
}

Matrices bending_matrices(int elements) {
  return matrices_of(deflections_at_points(elements), orthogonal_stiffness(), elements);
}

Matrices twist_matrices(int elements) {
  return matrices_of(turns_at_points(elements), orthogonal_stiffness(), elements);
}

// Of a stretch that is linear along each element.
Matrices stretch_matrices(int elements) {
  MatrixXd moved = MatrixXd::Zero(points * elements, elements);
  for (int e = 0; e < elements; ++e)
    for (int i = 0; i < points; ++i) {
      moved.row(points * e + i).head(e).setOnes();
      moved(points * e + i, e) = gauss_places()[i];
    }
  return matrices_of(moved, VectorXd::Ones(1), elements);
}

}  // namespace armature::internal::large_beam
