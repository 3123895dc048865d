#include "linear/sparse_qr.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

namespace armature::internal {

namespace {

// [x, tail] becomes [beta, 0] by  E - tau v v'  with v = [1, tail], written over the tail. Returns tau.
double make_reflection(double& x, double* tail, int count) {
  double square = 0;
  for (int i = 0; i < count; ++i) square += tail[i] * tail[i];
  if (square == 0) return 0;
  const double beta = x > 0 ? -std::sqrt(x * x + square) : std::sqrt(x * x + square);
  const double tau = (beta - x) / beta;
  for (int i = 0; i < count; ++i) tail[i] /= x - beta;
  x = beta;
  return tau;
}

void apply_reflection(const double* tail, int count, double tau, double* y) {
  double s = y[0];
  for (int i = 0; i < count; ++i) s += tail[i] * y[i + 1];
  s *= tau;
  y[0] -= s;
  for (int i = 0; i < count; ++i) y[i + 1] -= s * tail[i];
}

}  // namespace

// Minimum degree on the pattern of A'A: that of R + R'.
void SparseQr::order(int rows, const std::vector<int>& start, const std::vector<int>& row) {
  const int n = static_cast<int>(start.size()) - 1;
  order_.clear(), place_.clear();
  if (n == 0) return;
  std::vector<std::vector<int>> columns_of(rows);
  for (int k = 0; k < n; ++k)
    for (int p = start[k]; p < start[k + 1]; ++p) columns_of[row[p]].push_back(k);
  std::vector<Eigen::Triplet<double>> pairs;
  for (const std::vector<int>& columns : columns_of)
    for (int i : columns)
      for (int j : columns) pairs.emplace_back(i, j, 1.0);
  Eigen::SparseMatrix<double> product(n, n);
  product.setFromTriplets(pairs.begin(), pairs.end());
  Eigen::AMDOrdering<int>::PermutationType inverse;
  Eigen::AMDOrdering<int> ordering;
  ordering(product, inverse);
  order_.assign(inverse.indices().data(), inverse.indices().data() + n);
  place_.resize(n);
  for (int k = 0; k < n; ++k) place_[order_[k]] = k;
}

void SparseQr::analyze(int rows, const std::vector<int>& start, const std::vector<int>& row) {
  order(rows, start, row);
  const int n = static_cast<int>(order_.size());
  fronts_.assign(n, {});
  independent_.assign(n, 0), pivot_.assign(n, 0);
  head_.setZero(n);

  struct Cell {
    int place, value;
  };
  std::vector<std::vector<Cell>> cells(rows);
  for (int k = 0; k < n; ++k)
    for (int p = start[k]; p < start[k + 1]; ++p) cells[row[p]].push_back({place_[k], p});
  free_rows_.clear();
  for (int r = 0; r < rows; ++r) {
    if (cells[r].empty()) {
      free_rows_.push_back(r);
      continue;
    }
    int first = n;
    for (const Cell& cell : cells[r]) first = std::min(first, cell.place);
    fronts_[first].own_rows.push_back(r);
  }
  free_.setZero(static_cast<Eigen::Index>(free_rows_.size()));

  std::vector<int> local(n, -1);
  for (int k = 0; k < n; ++k) {
    Front& front = fronts_[k];
    front.places.push_back(k);
    for (int r : front.own_rows)
      for (const Cell& cell : cells[r]) front.places.push_back(cell.place);
    for (const Front::Child& child : front.children) {
      const std::vector<int>& of_child = fronts_[child.place].places;
      front.places.insert(front.places.end(), of_child.begin() + 1, of_child.end());
    }
    std::sort(front.places.begin(), front.places.end());
    front.places.erase(std::unique(front.places.begin(), front.places.end()), front.places.end());
    const int width = static_cast<int>(front.places.size());
    for (int c = 0; c < width; ++c) local[front.places[c]] = c;

    front.most_rows = static_cast<int>(front.own_rows.size());
    for (std::size_t r = 0; r < front.own_rows.size(); ++r)
      for (const Cell& cell : cells[front.own_rows[r]])
        front.entries.push_back({static_cast<int>(r), local[cell.place], cell.value});
    for (Front::Child& child : front.children) {
      const Front& below = fronts_[child.place];
      for (std::size_t c = 1; c < below.places.size(); ++c) child.columns.push_back(local[below.places[c]]);
      front.most_rows += std::min(below.most_rows, static_cast<int>(below.places.size()) - 1);
    }
    if (width > 1) fronts_[front.places[1]].children.push_back({k, {}});
    front.matrix.reserve(static_cast<std::size_t>(front.most_rows) * width);
    front.tau.assign(width, 0), front.R.assign(width, 0), front.y.assign(front.most_rows, 0);
  }
}

long SparseQr::entries() const {
  long count = 0;
  for (const Front& front : fronts_) count += static_cast<long>(front.places.size());
  return count;
}

SparseQr::Row SparseQr::row(int place) const {
  const Front& front = fronts_[place];
  return {front.places.data(), front.R.data(), static_cast<int>(front.places.size())};
}

void SparseQr::factor(const std::vector<double>& values, double tolerance) {
  for (int k = 0; k < columns(); ++k) {
    gather(fronts_[k], values);
    reduce(fronts_[k], k, tolerance);
  }
}

void SparseQr::gather(Front& front, const std::vector<double>& values) {
  front.rows = static_cast<int>(front.own_rows.size());
  for (const Front::Child& child : front.children) front.rows += fronts_[child.place].passed;
  const int n = front.rows;
  front.matrix.assign(static_cast<std::size_t>(n) * front.places.size(), 0);
  for (const Front::Entry& entry : front.entries) front.matrix[entry.column * n + entry.row] = values[entry.value];
  int row = static_cast<int>(front.own_rows.size());
  for (const Front::Child& child : front.children) {
    const Front& below = fronts_[child.place];
    const int first = below.rows - below.rest;
    const bool triangular = below.passed < below.rest;
    for (std::size_t c = 0; c < child.columns.size(); ++c) {
      const double* from = below.matrix.data() + (c + 1) * below.rows + first;
      const int count = triangular ? std::min<int>(below.passed, static_cast<int>(c) + 1) : below.passed;
      std::copy_n(from, count, front.matrix.data() + child.columns[c] * n + row);
    }
    row += below.passed;
  }
}

void SparseQr::reduce(Front& front, int place, double tolerance) {
  const int n = front.rows, width = static_cast<int>(front.places.size());
  double* first = front.matrix.data();
  double square = 0;
  for (int i = 0; i < n; ++i) square += first[i] * first[i];
  pivot_[place] = std::sqrt(square);
  independent_[place] = pivot_[place] > tolerance;
  front.rest = n;
  if (independent_[place]) {
    front.rest = n - 1;
    front.tau[0] = make_reflection(first[0], first + 1, n - 1);
    for (int c = 1; c < width; ++c) apply_reflection(first + 1, n - 1, front.tau[0], first + c * n);
    for (int c = 0; c < width; ++c) front.R[c] = first[c * n];
  }
  front.passed = std::min(front.rest, width - 1);
  if (front.passed > 0 && front.passed < front.rest) make_triangular(front, n - front.rest);
}

void SparseQr::make_triangular(Front& front, int first_row) {
  const int n = front.rows, width = static_cast<int>(front.places.size());
  for (int k = 0; k < width - 1; ++k) {
    const int row = first_row + k, count = n - row - 1;
    double* column = front.matrix.data() + (k + 1) * n + row;
    front.tau[k + 1] = make_reflection(column[0], column + 1, count);
    for (int c = k + 2; c < width; ++c)
      apply_reflection(column + 1, count, front.tau[k + 1], front.matrix.data() + c * n + row);
  }
}

void SparseQr::solve_R(Eigen::VectorXd& x) const {
  for (int k = columns() - 1; k >= 0; --k) {
    if (!independent_[k]) continue;
    const Front& front = fronts_[k];
    for (std::size_t c = 1; c < front.places.size(); ++c)
      if (independent_[front.places[c]]) x[k] -= front.R[c] * x[front.places[c]];
    x[k] /= front.R[0];
  }
}

void SparseQr::solve_Rt(Eigen::VectorXd& x) const {
  for (int k = 0; k < columns(); ++k) {
    if (!independent_[k]) continue;
    const Front& front = fronts_[k];
    x[k] /= front.R[0];
    for (std::size_t c = 1; c < front.places.size(); ++c)
      if (independent_[front.places[c]]) x[front.places[c]] -= front.R[c] * x[k];
  }
}

void SparseQr::to_basis(const Eigen::VectorXd& y) {
  for (std::size_t r = 0; r < free_rows_.size(); ++r) free_[r] = y[free_rows_[r]];
  for (int k = 0; k < columns(); ++k) {
    Front& front = fronts_[k];
    int row = 0;
    for (int r : front.own_rows) front.y[row++] = y[r];
    for (const Front::Child& child : front.children) {
      const Front& below = fronts_[child.place];
      std::copy_n(below.y.data() + below.rows - below.rest, below.passed, front.y.data() + row);
      row += below.passed;
    }
    const int n = front.rows, first = n - front.rest;
    if (independent_[k]) apply_reflection(front.matrix.data() + 1, n - 1, front.tau[0], front.y.data());
    head_[k] = independent_[k] ? front.y[0] : 0;
    if (front.passed == front.rest || front.passed == 0) continue;
    for (int c = 0; c < front.passed; ++c)
      apply_reflection(front.matrix.data() + (c + 1) * n + first + c + 1, n - first - c - 1, front.tau[c + 1],
                       front.y.data() + first + c);
  }
}

void SparseQr::clear_tail() {
  free_.setZero();
  for (Front& front : fronts_) std::fill_n(front.y.begin(), front.rows, 0.0);
}

void SparseQr::from_basis(Eigen::VectorXd& y) {
  for (std::size_t r = 0; r < free_rows_.size(); ++r) y[free_rows_[r]] = free_[r];
  for (int k = columns() - 1; k >= 0; --k) {
    Front& front = fronts_[k];
    const int n = front.rows, first = n - front.rest;
    if (front.passed > 0 && front.passed < front.rest)
      for (int c = front.passed - 1; c >= 0; --c)
        apply_reflection(front.matrix.data() + (c + 1) * n + first + c + 1, n - first - c - 1, front.tau[c + 1],
                         front.y.data() + first + c);
    if (independent_[k]) {
      front.y[0] = head_[k];
      apply_reflection(front.matrix.data() + 1, n - 1, front.tau[0], front.y.data());
    }
    int row = 0;
    for (int r : front.own_rows) y[r] = front.y[row++];
    for (const Front::Child& child : front.children) {
      Front& below = fronts_[child.place];
      std::copy_n(front.y.data() + row, below.passed, below.y.data() + below.rows - below.rest);
      row += below.passed;
    }
  }
}

}  // namespace armature::internal
