// A'A of a sparse matrix, from the pairs of entries in each row.
#pragma once

#include "linear/sparse_matrix.hpp"

namespace armature::internal {

inline void add_gram_matrix(const SparseMatrix& A, Eigen::MatrixXd& sum) {
  for (int r = 0; r < A.rows(); ++r)
    for (SparseMatrix::InnerIterator i(A, r); i; ++i)
      for (SparseMatrix::InnerIterator j(A, r); j; ++j) sum(i.col(), j.col()) += i.value() * j.value();
}

}  // namespace armature::internal
