#include "sensitivity/column_packs.hpp"

namespace armature::internal {

namespace {

// Row `row` of a pack stands at this row of S: the one of dt, behind dx and dd, is left out.
int row_of_S(const Layout& n, int row) { return row < n.nx() + n.nd ? row : row + 1; }

}  // namespace

void ColumnPacks::take(const Layout& n, const Eigen::MatrixXd& S) {
  packs_ = static_cast<int>((S.cols() + lane_count - 1) / lane_count);
  rows_ = n.nx() + n.nd + n.np;
  numbers_.assign(static_cast<std::size_t>(packs_) * static_cast<std::size_t>(rows_), LaneRow{});
  for (Eigen::Index column = 0; column < S.cols(); ++column) {
    LaneRow* rows = pack(static_cast<int>(column / lane_count));
    for (int i = 0; i < rows_; ++i) rows[i][static_cast<int>(column % lane_count)] = S(row_of_S(n, i), column);
  }
}

void ColumnPacks::give(const Layout& n, Eigen::MatrixXd& S) const {
  for (Eigen::Index column = 0; column < S.cols(); ++column) {
    const LaneRow* rows = pack(static_cast<int>(column / lane_count));
    for (int i = 0; i < rows_; ++i) S(row_of_S(n, i), column) = rows[i][static_cast<int>(column % lane_count)];
  }
}

}  // namespace armature::internal
