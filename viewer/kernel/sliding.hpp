// The weights of comparisons that slide together, as dynamics/sliding.cpp finds them: those with which no root leaves zero,
//
//   residual_i(w) = d(root_i)/dt + rate root_i = 0
//
// The slopes J come from one evaluation a comparison. Where comparisons depend on each other, J is singular, and the weights that it leaves open stay
// at 1/2.
#pragma once

#include "step/comparison.hpp"
#include "step/lost_weights.hpp"
#include "step/sliding.hpp"

namespace armature::step {

class PageSliding {
 public:
  static constexpr int most = 16;  // comparisons

  void clear() { count_ = 0; }
  void add(int comparison) {
    if (count_ < most) comparison_[count_] = comparison;
    ++count_;
  }
  int count() const { return count_; }
  int first() const { return comparison_[0]; }
  bool fits() const { return count_ <= most; }

  // weights: of all comparisons; those that slide are found. roots(): at the state, with these weights. rates(): of the roots, with them; null where
  // there is no acceleration. kinds, breakaway: of all comparisons.
  template <class Roots, class Rates>
  bool solve(double* weights, double rate, const int* kinds, const double* breakaway, const Roots& roots,
             const Rates& rates) {
    const int n = count_;
    const auto residual = [&](double* to) {
      const double* found = rates();
      for (int i = 0; found && i < n; ++i) {
        to[i] = found[comparison_[i]] + rate * root_[i];
        if (!(to[i] - to[i] == 0)) return false;
      }
      return found != nullptr;
    };
    // with weights of 1/2, and the slopes
    for (int i = 0; i < n; ++i) weights[comparison_[i]] = 0.5;
    const double* at = roots();
    for (int i = 0; i < n; ++i) root_[i] = at[comparison_[i]];
    if (!residual(residual_)) return false;
    for (int j = 0; j < n; ++j) {
      weights[comparison_[j]] = 1;
      if (!residual(other_)) return false;
      weights[comparison_[j]] = 0.5;
      for (int i = 0; i < n; ++i) slopes_[i][j] = 2 * (other_[i] - residual_[i]);
    }
    // the weights that take it away; corrected where accelerations are not affine in them
    const double size = length(residual_);
    double left = size;
    for (int pass = 0; pass < most_passes; ++pass) {
      eliminate();
      for (int i = 0; i < n; ++i) weights[comparison_[i]] += step_[i];
      if (!residual(residual_)) return false;
      const double now = length(residual_);
      if (now <= sliding::affine * size || !(now < left)) break;
      left = now;
    }
    return let_go(weights, kinds, breakaway) ? residual(other_) : true;
  }

 private:
  static constexpr int most_passes = 20;
  static constexpr double dependent = 1e-10;  // of the largest slope: a pivot that is none

  double length(const double* x) const {
    double sum = 0;
    for (int i = 0; i < count_; ++i) sum += x[i] * x[i];
    return square_root(sum);
  }

  // step = -J^-1 residual, by elimination with the largest pivots; zero where there is none.
  void eliminate() {
    const int n = count_;
    double work[most][most + 1];
    int column[most];
    double largest = 0;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) work[i][j] = slopes_[i][j], largest = larger(largest, absolute(work[i][j]));
      work[i][n] = -residual_[i], column[i] = -1, step_[i] = 0;
    }
    for (int row = 0; row < n; ++row) {
      int best_i = row, best_j = -1;
      double best = dependent * largest;
      for (int i = row; i < n; ++i)
        for (int j = 0; j < n; ++j)
          if (!is_taken(column, row, j) && absolute(work[i][j]) > best)
            best = absolute(work[i][j]), best_i = i, best_j = j;
      if (best_j < 0) break;
      for (int j = 0; j <= n; ++j) {
        const double kept = work[row][j];
        work[row][j] = work[best_i][j], work[best_i][j] = kept;
      }
      column[row] = best_j;
      for (int i = 0; i < n; ++i) {
        const double factor = i == row ? 0 : work[i][best_j] / work[row][best_j];
        for (int j = 0; factor != 0 && j <= n; ++j) work[i][j] -= factor * work[row][j];
      }
    }
    for (int row = 0; row < n && column[row] >= 0; ++row) step_[column[row]] = work[row][n] / work[row][column[row]];
  }
  static bool is_taken(const int* column, int rows, int j) {
    for (int row = 0; row < rows; ++row)
      if (column[row] == j) return true;
    return false;
  }

  // Comparisons that no weight holds get one outside their range, which ends their sliding.
  bool let_go(double* weights, const int* kinds, const double* breakaway) const {
    bool lost = false;
    for (int i = 0; i < count_; ++i) {
      double most_slope = 0;
      for (int j = 0; j < count_; ++j) most_slope = larger(most_slope, absolute(slopes_[i][j]));
      const bool pushed = sliding::is_pushed(residual_[i], most_slope);
      if (!pushed && !(count_ == 1 && slopes_[0][0] > 0)) continue;
      const int k = comparison_[i];
      const bool up = pushed ? residual_[i] > 0 : outcome_of(static_cast<ComparisonKind>(kinds[k]), root_[i]) == 1;
      weights[k] = sliding::outside(up, breakaway[k]);
      lost = true;
    }
    return lost;
  }

  int comparison_[most] = {}, count_ = 0;
  double slopes_[most][most], residual_[most], other_[most], root_[most], step_[most];
};

}  // namespace armature::step
