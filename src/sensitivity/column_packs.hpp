// Columns of S in packs of eight, the lanes of the programs that move them (tangent_programs.hpp). A pack has one row for each number that
// may differ from zero: dx, dd, dp; S has a row dt besides. Lanes that are left over hold zeros.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "step/lanes.hpp"
#include "system/layout.hpp"

namespace armature::internal {

class ColumnPacks {
 public:
  int packs() const { return packs_; }
  int rows() const { return rows_; }
  LaneRow* pack(int k) { return numbers_.data() + static_cast<std::ptrdiff_t>(k) * rows_; }
  const LaneRow* pack(int k) const { return numbers_.data() + static_cast<std::ptrdiff_t>(k) * rows_; }

  void take(const Layout& n, const Eigen::MatrixXd& S);
  void give(const Layout& n, Eigen::MatrixXd& S) const;  // of the size that was taken

 private:
  int packs_ = 0, rows_ = 0;
  std::vector<LaneRow> numbers_;
};

}  // namespace armature::internal
