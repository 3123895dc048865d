// sum_i factor_i column_i, for long columns.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>

namespace armature {

class Combination {
 public:
  void add(double factor, const double* column) {
    assert(count_ < most);
    factor_[static_cast<std::size_t>(count_)] = factor;
    column_[static_cast<std::size_t>(count_++)] = column;
  }
  void add_to(double* result, int n) const { add_to(count_, factor_.data(), column_.data(), result, n); }

 private:
  static constexpr int most = 16;  // stages of dop853 with those of its dense output
  static void add_to(int count, const double* factor, const double* const* column, double* result, int n);

  std::array<double, most> factor_;
  std::array<const double*, most> column_;
  int count_ = 0;
};

}  // namespace armature
