// Runge-Kutta methods as data. One step from (t, x0) with s stages:
//
//     k_i = f(t + c_i h, x0 + h sum_j a_ij k_j),   i = 1..s          x1 = x0 + h sum_i b_i k_i
//     k_{s+1} = f(t + h, x1)                                         the next step's k_1
//
// Error estimates and dense output are further combinations of the k_i. Dense output is the cubic Hermite polynomial of
// both ends, raised in order by the rows of D (Hairer, Norsett, Wanner, Solving ODEs I, II.6): with theta = (t - t0) /
// h
//
//     x(theta) = x0 + theta (F0 + (1-theta) (F1 + theta (F2 + (1-theta) (F3 + theta (F4 + ...)))))
//     F0 = x1 - x0,  F1 = h k_1 - F0,  F2 = 2 F0 - h (k_1 + k_{s+1}),  F_{3+r} = h sum_i D_ri k_i.
#pragma once

#include <Eigen/Core>
#include <string>

namespace armature {

struct Tableau {
  std::string name;
  int order = 0;         // of x1
  Eigen::MatrixXd A;     // s x s, strictly lower triangular
  Eigen::VectorXd b, c;  // s

  // Embedded pairs: estimates h sum_i E_ri k_i, i = 1..s+1. With two rows the first is the finer one. No rows: no
  // estimate.
  Eigen::MatrixXd E;
  int error_order = 0;  // the estimate is O(h^error_order)
  double stable = 0;    // of a pair: h |lambda| up to which it is stable on the negative real axis (stability.hpp)

  // Dense output: further stages s+2.. of the same form as the others, then D over all stages.
  Eigen::MatrixXd dense_A;
  Eigen::VectorXd dense_c;
  Eigen::MatrixXd D;
  int dense_order = 3;  // x(theta) is exact up to O(h^(dense_order+1))

  int stages() const { return static_cast<int>(b.size()); }
  int all_stages() const { return stages() + 1 + static_cast<int>(dense_c.size()); }
  bool estimates_error() const { return E.rows() > 0; }
  bool error_needs_end() const { return E.rows() > 0 && !E.rightCols(1).isZero(0); }
};

// euler, rk2 (midpoint), rk4, dopri5, dop853; null for any other name.
const Tableau* find_tableau(const std::string& name);
const Tableau& tableau(const std::string& name);  // throws std::out_of_range for any other name

Tableau dormand_prince_853();

}  // namespace armature
