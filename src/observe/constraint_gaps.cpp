#include "observe/constraint_gaps.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "expression/program.hpp"
#include "system/system.hpp"

namespace armature::internal {

namespace {

bool is_angle(const Coordinate& coordinate) {
  return coordinate.kind == Coordinate::Kind::angle || coordinate.kind == Coordinate::Kind::quaternion;
}

// The longest distance between joints on one body, m; 0: all of them meet, or there are none.
double longest_arm(const Equations& equations) {
  std::vector<double> squares(equations.arm_squares.size());
  Evaluator(std::make_shared<Program>(equations.p, equations.arm_squares))(equations.p_value.data(), squares.data());
  return squares.empty() ? 0 : std::sqrt(*std::ranges::max_element(squares));
}

}  // namespace

ConstraintGaps::ConstraintGaps(const Equations& equations)
    : equations_(equations), groups_(row_groups(equations)), length_(longest_arm(equations)) {
  for (const Coordinate& velocity : equations.velocities) is_angle_.push_back(is_angle(velocity));
  const int groups = groups_.empty() ? 0 : 1 + *std::ranges::max_element(groups_);
  size_.assign(static_cast<std::size_t>(groups), 0);
  gap_.assign(groups_.size(), 0);
  t_.assign(groups_.size(), 0);
}

double ConstraintGaps::size(int row) const {
  constexpr double vanishing = 1e-6;  // of L or 1 rad: far above round-off, far below any lever arm
  const std::string& unit = equations_.rows[static_cast<std::size_t>(row)].unit;
  const double own = size_[groups_[row]], natural = unit == "m" ? length_ : unit == "rad" ? 1 : 0;
  return own > vanishing * natural ? own : natural;
}

void ConstraintGaps::measure(const double* q, const SparseMatrix& Phi) {
  for (std::size_t i = 0; i < equations_.positions.size(); ++i)
    if (!is_angle(equations_.positions[i])) length_ = std::max(length_, std::abs(q[i]));
  for (int row = 0; row < Phi.rows(); ++row)
    for (SparseMatrix::InnerIterator entry(Phi, row); entry && equations_.rows[row].unit == "m"; ++entry)
      if (is_angle_[entry.col()]) length_ = std::max(length_, std::abs(entry.value()));
  for (int row = 0; row < Phi.rows(); ++row) {
    double sum = 0;
    for (SparseMatrix::InnerIterator entry(Phi, row); entry; ++entry)
      sum += std::abs(entry.value()) * (is_angle_[entry.col()] ? 1 : length_);
    size_[groups_[row]] = std::max(size_[groups_[row]], sum);
  }
}

double ConstraintGaps::look(double t, const double* q, const SparseTerms& terms) {
  measure(q, terms.Phi);
  double largest = 0;
  for (int row = 0; row < terms.phi.size(); ++row) {
    const double gap = std::abs(terms.phi[row]);
    if (gap > gap_[row]) gap_[row] = gap, t_[row] = t;
    if (gap > 0 && size(row) > 0) largest = std::max(largest, gap / size(row));
  }
  return largest;
}

ConstraintGap ConstraintGaps::worst() const {
  ConstraintGap worst;
  for (int row = 0; row < static_cast<int>(gap_.size()); ++row) {
    const double share = size(row) > 0 ? gap_[row] / size(row) : 0;
    if (share > worst.share) worst = {row, t_[row], gap_[row], share};
  }
  return worst;
}

}  // namespace armature::internal
