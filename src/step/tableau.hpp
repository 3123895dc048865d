// Runge-Kutta methods as data. One step from (t, x0) with s stages:
//
//     k_i = f(t + c_i h, x0 + h sum_j a_ij k_j),   i = 1..s          x1 = x0 + h sum_i b_i k_i
//     k_{s+1} = f(t + h, x1)                                         the next step's k_1
//
// Error estimates and dense output are further combinations of the k_i. Dense output is the cubic Hermite polynomial of
// both ends, raised in order by the rows of D (Hairer, Norsett, Wanner, Solving ODEs I, II.6): with theta = (t - t0) / h
//
//     x(theta) = x0 + theta (F0 + (1-theta) (F1 + theta (F2 + (1-theta) (F3 + theta (F4 + ...)))))
//     F0 = x1 - x0,  F1 = h k_1 - F0,  F2 = 2 F0 - h (k_1 + k_{s+1}),  F_{3+r} = h sum_i D_ri k_i.
#pragma once

#include "step/row.hpp"

namespace armature::step {

struct Tableau {
  static constexpr int most_stages = 12, most_further = 3, most_all = most_stages + 1 + most_further;

  int order = 0;                            // of x1
  int stages = 0;                           // s
  double A[most_stages][most_stages] = {};  // strictly lower triangular
  double b[most_stages] = {}, c[most_stages] = {};

  // Embedded pairs: estimates h sum_i E_ri k_i, i = 1..s+1. Of two the first is the finer one.
  int estimates = 0;
  double E[2][most_stages + 1] = {};
  int error_order = 0;  // the estimate is O(h^error_order)
  double stable = 0;    // of a pair: h |lambda| up to which it is stable on the negative real axis

  // Dense output: further stages s+2.. of the same form as the others, then D over all stages.
  int further_stages = 0, dense_rows = 0;
  double further_A[most_further][most_all] = {}, further_c[most_further] = {};
  double D[4][most_all] = {};
  int dense_order = 3;  // x(theta) is exact up to O(h^(dense_order+1))

  ARMATURE_STEP constexpr int all_stages() const { return stages + 1 + further_stages; }
  ARMATURE_STEP constexpr int dense_columns() const { return 3 + dense_rows; }
  ARMATURE_STEP constexpr bool error_needs_end() const {
    return estimates > 0 && (E[0][stages] != 0 || E[1][stages] != 0);
  }
};

}  // namespace armature::step
