// A'A of a sparse matrix, from the pairs of entries in each row.
#pragma once

#include "linear/sparse_matrix.hpp"

namespace armature {

inline SparseMatrix gram_matrix(const SparseMatrix& A) {
  std::vector<Eigen::Triplet<double>> products;
  for (int r = 0; r < A.rows(); ++r)
    for (SparseMatrix::InnerIterator i(A, r); i; ++i)
      for (SparseMatrix::InnerIterator j(A, r); j; ++j)
        products.emplace_back(static_cast<int>(i.col()), static_cast<int>(j.col()), i.value() * j.value());
  SparseMatrix product(A.cols(), A.cols());
  product.setFromTriplets(products.begin(), products.end());
  return product;
}

}  // namespace armature
