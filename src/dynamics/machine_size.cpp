#include "dynamics/machine_size.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "system/system.hpp"

namespace armature::internal {

namespace {

bool is_length(const Coordinate& coordinate) { return coordinate.kind == Coordinate::Kind::length; }
bool is_angle(const Coordinate& coordinate) {
  return coordinate.kind == Coordinate::Kind::angle || coordinate.kind == Coordinate::Kind::quaternion;
}

// Rows of one group are components of one vector: how they are turned does not change the arm.
double longest_lever_arm(const Equations& e, const std::vector<int>& groups, const SparseMatrix& Phi) {
  std::map<std::pair<int, Eigen::Index>, double> squares;
  for (int row = 0; row < Phi.rows(); ++row)
    for (SparseMatrix::InnerIterator entry(Phi, row); entry && e.rows[row].unit == "m"; ++entry)
      if (is_angle(e.velocities[entry.col()])) squares[{groups[row], entry.col()}] += entry.value() * entry.value();
  double longest = 0;
  for (const auto& [place, square] : squares) longest = std::max(longest, square);
  return std::sqrt(longest);
}

double radius_of_gyration(const Equations& e, const SparseMatrix& M) {
  double mass = 0, inertia = 0;
  for (int i = 0; i < M.rows(); ++i)
    for (SparseMatrix::InnerIterator entry(M, i); entry; ++entry)
      if (entry.col() == i && is_length(e.velocities[i]))
        mass = std::max(mass, entry.value());
      else if (entry.col() == i && is_angle(e.velocities[i]))
        inertia = std::max(inertia, entry.value());
  return std::sqrt(inertia / mass);
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

double length_of(const Equations& e, const std::vector<int>& groups, const SparseTerms& terms, const double* q) {
  for (const double length :
       {longest_lever_arm(e, groups, terms.Phi), radius_of_gyration(e, terms.M), farthest_slide(e, q)})
    if (usable(length)) return length;
  return 1;
}

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

MachineSize::MachineSize(const Equations& e, const SparseTerms& terms, const double* q) {
  const std::vector<int> groups = row_groups(e);
  const SparseMatrix& Phi = terms.Phi;
  length_ = length_of(e, groups, terms, q);
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
