// QR factorization of a sparse matrix with a known pattern, rank decided on the way:
//
//   A P = Q R
//
// Columns are eliminated in an order that fills little. Each one has a front: the rows of A that begin with it and what
// is left of the fronts below it in the elimination tree, gathered as a small dense matrix. One Householder reflection
// makes a row of R of it; the rest goes up to the next column it meets. A column of which no more than `tolerance` is
// left when its turn comes depends on those before it and is passed over (Heath, SIAM J. Sci. Stat. Comput. 3, 1982).
// A front with more rows than columns is made triangular before it goes up, so that fronts stay as small as the fill is.
//
// Vectors of the row space are held as Q' y: a `head`, one number a column, and a tail inside the fronts. Nothing is
// allocated after analyze().
#pragma once

#include <Eigen/Core>
#include <vector>

namespace armature::internal {

class SparseQr {
 public:
  // The pattern by columns: the rows of column k stand in row[start[k] … start[k+1]).
  void analyze(int rows, const std::vector<int>& start, const std::vector<int>& row);
  void factor(const std::vector<double>& values, double tolerance);

  int columns() const { return static_cast<int>(fronts_.size()); }
  int column(int place) const { return order_[place]; }  // of A, in the order of elimination
  bool independent(int place) const { return independent_[place]; }
  double pivot(int place) const { return pivot_[place]; }  // |R_kk|, or what was left of a dependent column
  long entries() const;                                    // of R

  // Row `place` of R: the places of its entries, the diagonal first, and their values. Rows of dependent columns are void.
  struct Row {
    const int* places;
    const double* values;
    int count;
  };
  Row row(int place) const;

  // By places; entries of dependent columns are neither read nor written.
  void solve_R(Eigen::VectorXd& x) const;
  void solve_Rt(Eigen::VectorXd& x) const;

  // y in the basis Q and back.
  void to_basis(const Eigen::VectorXd& y);
  Eigen::VectorXd& head() { return head_; }
  void clear_tail();
  void from_basis(Eigen::VectorXd& y);

 private:
  struct Front {
    std::vector<int> places;    // of its columns, its own first
    std::vector<int> own_rows;  // of A
    struct Entry {
      int row, column, value;  // in the front, in the front, in the values of A
    };
    std::vector<Entry> entries;  // of own rows
    struct Child {
      int place;
      std::vector<int> columns;  // of its rest, in this front
    };
    std::vector<Child> children;
    int most_rows = 0;
    // numbers
    int rows = 0, rest = 0, passed = 0;  // gathered; without the row of R; to the parent
    std::vector<double> matrix;          // rows x columns by columns; afterwards reflections below the diagonals
    std::vector<double> tau;             // of the first reflection and those that make the rest triangular
    std::vector<double> R;
    std::vector<double> y;  // of a vector in the basis: as gathered, then reflected
  };
  void order(int rows, const std::vector<int>& start, const std::vector<int>& row);
  void gather(Front& front, const std::vector<double>& values);
  void reduce(Front& front, int place, double tolerance);
  void make_triangular(Front& front, int first_row);

  std::vector<int> order_, place_;
  std::vector<Front> fronts_;
  std::vector<char> independent_;
  std::vector<double> pivot_;
  std::vector<int> free_rows_;  // that meet no column
  Eigen::VectorXd head_, free_;
};

}  // namespace armature::internal
