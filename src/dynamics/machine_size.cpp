#include "dynamics/machine_size.hpp"

#include <algorithm>
#include <cmath>

namespace armature::internal {

namespace {

bool is_length(const Coordinate& coordinate) { return coordinate.kind == Coordinate::Kind::length; }
bool is_angle(const Coordinate& coordinate) {
  return coordinate.kind == Coordinate::Kind::angle || coordinate.kind == Coordinate::Kind::quaternion;
}

double longest_lever_arm(const Equations& e, const SparseMatrix& Phi) {
  double longest = 0;
  for (int row = 0; row < Phi.rows(); ++row)
    for (SparseMatrix::InnerIterator entry(Phi, row); entry && e.rows[row].unit == "m"; ++entry)
      if (is_angle(e.velocities[entry.col()])) longest = std::max(longest, std::abs(entry.value()));
  return longest;
}

double farthest_slide(const Equations& e, const double* q) {
  double farthest = 0;
  for (std::size_t i = 0; i < e.positions.size(); ++i)
    if (is_length(e.positions[i])) farthest = std::max(farthest, std::abs(q[i]));
  return farthest;
}

Eigen::VectorXd one_over_size(const std::vector<Coordinate>& coordinates, double length) {
  Eigen::VectorXd result = Eigen::VectorXd::Ones(static_cast<Eigen::Index>(coordinates.size()));
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    if (is_length(coordinates[i])) result[static_cast<Eigen::Index>(i)] = 1 / length;
  return result;
}

bool usable(double size) { return std::isfinite(size) && size > 0; }

}  // namespace

double largest_product(const double* x, const Eigen::VectorXd& f) {
  double largest = 0;
  for (Eigen::Index i = 0; i < f.size(); ++i) {
    const double here = std::abs(x[i] * f[i]);
    if (std::isnan(here)) return here;
    largest = std::max(largest, here);
  }
  return largest;
}

MachineSize::MachineSize(const Equations& e, const std::vector<int>& groups, const double* q, const SparseMatrix& Phi) {
  const double arm = longest_lever_arm(e, Phi), slide = farthest_slide(e, q);
  length_ = usable(arm) ? arm : usable(slide) ? slide : 1;
  per_position_ = one_over_size(e.positions, length_);
  per_velocity_ = one_over_size(e.velocities, length_);
  std::vector<double> largest(groups.empty() ? 0 : static_cast<std::size_t>(1 + *std::ranges::max_element(groups)));
  for (int row = 0; row < Phi.rows(); ++row) {
    double sum = 0;
    for (SparseMatrix::InnerIterator entry(Phi, row); entry; ++entry)
      sum += std::abs(entry.value()) / per_velocity_[entry.col()];
    double& size = largest[static_cast<std::size_t>(groups[row])];
    size = std::max(size, sum);
  }
  per_row_.resize(Phi.rows());
  for (int row = 0; row < Phi.rows(); ++row) {
    const double own = largest[static_cast<std::size_t>(groups[row])];
    per_row_[row] = 1 / (usable(own) ? own : e.rows[row].unit == "m" ? length_ : 1);
  }
}

}  // namespace armature::internal
