#include "mechanics/small_beam_basis.hpp"

#include <cmath>

#include "linear/decompositions.hpp"

namespace armature::internal {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd element_stiffness(FieldKind kind) {
  if (kind != FieldKind::bending) return (MatrixXd(2, 2) << 1, -1, -1, 1).finished();
  return (MatrixXd(4, 4) << 12, 6, -12, 6, 6, 4, -6, 2, -12, -6, 12, -6, 6, 2, -6, 4).finished();
}

MatrixXd element_mass(FieldKind kind) {
  switch (kind) {
    case FieldKind::twist: return (MatrixXd(2, 2) << 5, 1, 1, 5).finished();
    case FieldKind::stretch: return (MatrixXd(2, 2) << 2, 1, 1, 2).finished();
    case FieldKind::bending: break;
  }
  return (MatrixXd(4, 4) << 156, 22, 54, -13, 22, 4, 13, -3, 54, 13, 156, -22, -13, -3, -22, 4).finished();
}

MatrixXd assembled(const MatrixXd& element, int elements) {
  const int step = static_cast<int>(element.rows()) / 2, size = step * (elements + 1);
  MatrixXd A = MatrixXd::Zero(size, size);
  for (int e = 0; e < elements; ++e) A.block(step * e, step * e, 2 * step, 2 * step) += element;
  return A;
}

std::vector<int> moving_values(FieldKind kind, int elements, bool chord) {
  const bool bends = kind == FieldKind::bending;
  const int size = bends ? 2 * (elements + 1) : elements + 1;
  std::vector<int> moving;
  for (int i = 1; i < size; ++i)
    if (!bends || (chord ? i != size - 2 : i != 1)) moving.push_back(i);
  return moving;
}

// Of a column of nodal values the largest deflection, with its sign.
double largest_value(const VectorXd& x, bool bends) {
  double largest = 0;
  for (int i = 0; i < x.size(); i += bends ? 2 : 1)
    if (std::abs(x[i]) > std::abs(largest)) largest = x[i];
  return largest;
}

}  // namespace

MatrixXd nodal_stiffness(FieldKind kind, int elements) { return assembled(element_stiffness(kind), elements); }
MatrixXd nodal_mass(FieldKind kind, int elements) { return assembled(element_mass(kind), elements); }

FieldBasis field_basis(FieldKind kind, int elements, bool chord, int modes) {
  FieldBasis basis;
  // element matrices put together, without the values that the ends of the beam fix
  basis.moving = moving_values(kind, elements, chord);
  const MatrixXd K = nodal_stiffness(kind, elements), M = nodal_mass(kind, elements);
  basis.K = K(basis.moving, basis.moving), basis.M = M(basis.moving, basis.moving);
  // K x = omega^2 M x
  const SymmetricEigenpairs modal = eigenpairs(basis.K, basis.M);
  const VectorXd& squares = modal.values;
  MatrixXd columns = MatrixXd::Identity(basis.K.rows(), basis.K.rows());
  if (modes == 0) {
    // all nodal values: C has the same damping ratio for every mode
    const MatrixXd MV = basis.M * modal.vectors;
    basis.C = MV * squares.cwiseSqrt().asDiagonal() * MV.transpose();
  } else {
    // the lowest modes, scaled so that the largest value is 1: all three matrices are diagonal
    columns = modal.vectors.leftCols(modes);
    VectorXd mass(modes);  // eigenvectors have mass 1
    for (int c = 0; c < modes; ++c) {
      VectorXd values = VectorXd::Zero(K.rows());
      values(basis.moving) = columns.col(c);
      const double largest = largest_value(values, kind == FieldKind::bending);
      columns.col(c) /= largest;
      mass[c] = 1 / (largest * largest);
    }
    const VectorXd lowest = squares.head(modes);
    basis.M = mass.asDiagonal();
    basis.K = mass.cwiseProduct(lowest).asDiagonal();
    basis.C = mass.cwiseProduct(lowest.cwiseSqrt()).asDiagonal();
  }
  // back to all nodal values, the fixed ones zero
  basis.shapes = MatrixXd::Zero(K.rows(), columns.cols());
  basis.shapes(basis.moving, Eigen::all) = columns;
  return basis;
}

Row4 cubic_shapes(double xi) {
  const double x2 = xi * xi, x3 = x2 * xi;
  return {1 - 3 * x2 + 2 * x3, xi - 2 * x2 + x3, 3 * x2 - 2 * x3, x3 - x2};
}

Row4 cubic_slopes(double xi) {
  const double x2 = xi * xi;
  return {6 * x2 - 6 * xi, 1 - 4 * xi + 3 * x2, 6 * xi - 6 * x2, 3 * x2 - 2 * xi};
}

Row4 cubic_curvatures(double xi) { return {12 * xi - 6, 6 * xi - 4, 6 - 12 * xi, 6 * xi - 2}; }

// Of degree 4, so that three Gauss points are exact; over a whole element in closed form.
Block4 slope_integrals(double xi) {
  if (xi == 1)
    return {{{1.2, 0.1, -1.2, 0.1},
             {0.1, 4.0 / 30, -0.1, -1.0 / 30},
             {-1.2, -0.1, 1.2, -0.1},
             {0.1, -1.0 / 30, -0.1, 4.0 / 30}}};
  Block4 G{};
  const double off = std::sqrt(0.6);
  for (const auto& [place, weight] : {std::pair{-off, 5.0 / 18}, {0.0, 8.0 / 18}, {off, 5.0 / 18}}) {
    const Row4 s = cubic_slopes(xi * (1 + place) / 2);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) G[i][j] += xi * weight * s[i] * s[j];
  }
  return G;
}

}  // namespace armature::internal
