// The triangular factor of a tall matrix, without its orthogonal one: least squares of many rows in few unknowns.
#pragma once

#include <Eigen/Core>

namespace armature::internal {

// A = Q R by Householder's reflections, for the first `columns` columns; what stands behind them becomes Q' times itself. A is overwritten: R
// above its diagonal, zeros below it. Rows may be fewer than columns.
void triangularize(Eigen::MatrixXd& A, Eigen::Index columns);

}  // namespace armature::internal
