#include "prepare/inertia.hpp"

#include <cmath>
#include <map>

#include "expression/interruption.hpp"

namespace armature::internal {
namespace {

bool has_inertia(double pivot, double largest) { return pivot > 1e-14 * largest && pivot > 0; }

double largest_in_row(const SparseMatrix& M, int row) {
  double largest = 0;
  for (SparseMatrix::InnerIterator entry(M, row); entry; ++entry) largest = std::max(largest, std::abs(entry.value()));
  return largest;
}

// Right-looking, by the entries that are there: each pivot updates the rows it touches.
int eliminate_sparse(const SparseMatrix& M, const std::vector<int>& elimination_order) {
  std::vector<std::map<int, double>> rest(M.rows());
  for (int i = 0; i < M.rows(); ++i)
    for (SparseMatrix::InnerIterator entry(M, i); entry; ++entry)
      rest[i][static_cast<int>(entry.col())] = entry.value();
  // M without the velocity, until a pivot is no longer positive
  for (int k : elimination_order) {
    const double pivot = rest[k][k];
    if (!has_inertia(pivot, largest_in_row(M, k))) return k;
    rest[k].erase(k);
    for (const auto& [a, entry] : rest[k]) {
      for (const auto& [b, other] : rest[k]) rest[a][b] -= entry * other / pivot;
      rest[a].erase(k);
    }
  }
  return -1;
}

// The same, in the order of elimination and by whole columns.
int eliminate_dense(const SparseMatrix& M, const std::vector<int>& elimination_order) {
  const auto n = static_cast<Eigen::Index>(elimination_order.size());
  std::vector<Eigen::Index> place(M.rows());
  for (Eigen::Index k = 0; k < n; ++k) place[elimination_order[k]] = k;
  Eigen::MatrixXd rest = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < M.rows(); ++i)
    for (SparseMatrix::InnerIterator entry(M, i); entry; ++entry) rest(place[i], place[entry.col()]) = entry.value();
  Eigen::VectorXd column;
  for (Eigen::Index k = 0; k < n; ++k) {
    stop_if_interrupted();
    const double pivot = rest(k, k);
    if (!has_inertia(pivot, largest_in_row(M, elimination_order[k]))) return elimination_order[k];
    const Eigen::Index left = n - k - 1;
    column = rest.col(k).tail(left);
    rest.bottomRightCorner(left, left).selfadjointView<Eigen::Lower>().rankUpdate(column, -1 / pivot);
  }
  return -1;
}

}  // namespace

int velocity_without_inertia(const SparseMatrix& M, const std::vector<int>& elimination_order) {
  if (!all_finite(M)) return -1;
  return 4 * M.nonZeros() > M.rows() * M.cols() && M.rows() > 30 ? eliminate_dense(M, elimination_order)
                                                                 : eliminate_sparse(M, elimination_order);
}

}  // namespace armature::internal
