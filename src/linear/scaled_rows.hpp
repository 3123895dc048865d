// Rows of a sparse matrix, each times a number.
#pragma once

#include "linear/sparse_matrix.hpp"

namespace armature {

// Row first + i times scale[i].
inline SparseMatrix scaled_rows(const SparseMatrix& A, int first, const Eigen::VectorXd& scale) {
  SparseMatrix B = A.middleRows(first, scale.size());
  for (int i = 0; i < B.rows(); ++i)
    for (SparseMatrix::InnerIterator entry(B, i); entry; ++entry) entry.valueRef() *= scale[i];
  return B;
}

}  // namespace armature
