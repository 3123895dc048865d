// What is large and what is small in one machine, by its own lengths. Rows, positions and velocities over their sizes are pure
// numbers: the same in meters and in millimeters, for a watch and for a crane.
//
//   L            the longest lever arm: what one radian of a coordinate moves a vector of phi by, which is given in meters.
//                Without loops the largest radius of gyration, sqrt(M_ii/M_jj) of angles i and slides j. Machines of slides
//                alone have neither: the farthest that a slide is from its zero at the start, or 1 m if all are there.
//   coordinates  1 for angles, quaternions and what has no unit, L for lengths
//   row i        sum over j of |Phi_ij| times the size of coordinate j, the largest of all components of one vector
#pragma once

#include <Eigen/Core>

#include "mechanics/equations.hpp"
#include "system/terms.hpp"

namespace armature::internal {

// The largest |x_i f_i|; not a number where one of them is not.
double largest_product(const double* x, const Eigen::VectorXd& f);

class MachineSize {
 public:
  MachineSize() = default;  // not known
  // At positions q, where M and Phi of the terms are known.
  MachineSize(const Equations& equations, const SparseTerms& terms, const double* q);

  bool known() const { return length_ > 0; }
  double length() const { return length_; }  // L

  // One over the sizes.
  const Eigen::VectorXd& per_row() const { return per_row_; }
  const Eigen::VectorXd& per_position() const { return per_position_; }
  const Eigen::VectorXd& per_velocity() const { return per_velocity_; }

  // The largest of all, over its size.
  double of_rows(const Eigen::VectorXd& phi) const { return largest_product(phi.data(), per_row_); }
  double of_positions(const double* q) const { return largest_product(q, per_position_); }
  double of_velocities(const double* v) const { return largest_product(v, per_velocity_); }

 private:
  double length_ = 0;
  Eigen::VectorXd per_row_, per_position_, per_velocity_;
};

}  // namespace armature::internal
