#include "dynamics/traced_size.hpp"

#include "linear/sparse_cholesky.hpp"
#include "linear/sparse_qr.hpp"

namespace armature {

// The factor R of W' = Q R has the pattern of that of S = W W'. A row of W with k entries adds to as many products.
long traced_size(const System& system, const SparseTerms& terms, const std::vector<int>& independent_rows) {
  SparseCholesky llt;
  llt.analyze(terms.M);
  std::vector<int> start{0}, places, reached;
  long size = system.operation_count();
  if (llt.size() > 0) size += llt.entries() * llt.entries() / llt.size();  // at least: columns of equal length
  for (int row : independent_rows) {
    reached.clear();
    for (SparseMatrix::InnerIterator entry(terms.Phi, row); entry; ++entry)
      reached.push_back(llt.place(static_cast<int>(entry.col())));
    llt.close(reached);
    size += static_cast<long>(reached.size() * reached.size());
    places.insert(places.end(), reached.begin(), reached.end());
    start.push_back(static_cast<int>(places.size()));
  }
  SparseQr qr;
  qr.analyze(static_cast<int>(terms.M.rows()), start, places);
  for (int k = 0; k < qr.columns(); ++k) size += static_cast<long>(qr.row(k).count) * qr.row(k).count;
  return size;
}

}  // namespace armature
