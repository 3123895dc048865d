// How far a pose is from another, as a pure number that depends neither on units nor on the orientation of frames:
//
//   |dv|^2 = sum_j w_j dv_j^2     w = 1 for an angle (rad), 1/L^2 for a length, 1 for anything else
//
// L is the machine's own length, taken from the lever arms at which its angles move the loops and the points that the
// start names. With l_k the lever arms,  L^2 = sum l_k^4 / sum l_k^2: a mean that arms of no length do not change.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "dynamics/configuration.hpp"
#include "mechanics/equations.hpp"
#include "system/terms.hpp"

namespace armature::internal {

class StartMetric {
 public:
  explicit StartMetric(const Equations& equations);

  // At a pose: lever arms from Phi and from the conditions' derivatives J. Without any arm, L is the largest length among q.
  void measure(const SparseTerms& terms, const std::vector<StartCondition>& conditions, const SparseMatrix& J,
               const Eigen::VectorXd& q);

  double length() const { return length_; }                          // L, m
  double typical(int velocity) const { return typical_[velocity]; }  // 1 rad, or L
  const SparseMatrix& weights() const { return weights_; }           // diag(w)
  const Eigen::VectorXd& row_scale() const { return row_scale_; }    // makes phi a pure number, one per row
  double scale(const std::string& unit) const;  // the same for a condition of this unit, or its rate

  Eigen::VectorXd scales(const std::vector<StartCondition>& conditions) const;

  // What dv takes `from` to `to`: differences, and rotation vectors for quaternions.
  Eigen::VectorXd difference(const Eigen::VectorXd& from, const Eigen::VectorXd& to) const;
  double norm(const Eigen::VectorXd& dv) const;

 private:
  void set_length(double length);
  void scale_rows(const SparseMatrix& Phi);

  const Equations& equations_;
  Configuration configuration_;
  std::vector<int> groups_;  // of the rows: components of one vector
  double length_ = 1;
  Eigen::VectorXd typical_, row_scale_;
  SparseMatrix weights_;
};

}  // namespace armature::internal
