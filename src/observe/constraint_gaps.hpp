// How far constraints are open, as shares of the machine's own size.
//
// A row phi_i is made of coordinates and lever arms. It changes by about
//
//   size_i = sum over angles |Phi_ij| 1 rad  +  sum over slides |Phi_ij| L,      L the machine's length,
//
// when the machine moves from one side of its range to the other. L is the longest distance between joints on one body, the
// longest lever arm of a row in meters, or the farthest that a slide has been from its zero. The share |phi_i| / size_i is a pure number: it is the same in meters and in
// millimeters, for a watch and for a crane. Rows of one owner and unit are components of one vector and share the largest of
// their sizes, so that one whose lever arms vanish in some pose is not measured by zero. Sizes are the largest seen so far.
// Rows that nothing can move, such as those that hold a planar loop in its plane, have no lever arms but round-off: L or 1 rad
// measures them.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "mechanics/equations.hpp"
#include "observe/outcome.hpp"
#include "system/terms.hpp"

namespace armature::internal {

class ConstraintGaps {
 public:
  explicit ConstraintGaps(const Equations& equations);

  // With phi and Phi at positions q; the largest share there.
  double look(double t, const double* q, const SparseTerms& terms);

  double size(int row) const;
  double length() const { return length_; }  // L, m; 0: there is none yet
  ConstraintGap worst() const;               // of all that was seen, by its share

 private:
  void measure(const double* q, const SparseMatrix& Phi);

  const Equations& equations_;
  std::vector<int> groups_;
  double length_;                // L
  std::vector<char> is_angle_;   // of velocities
  std::vector<double> size_;     // of a group
  std::vector<double> gap_, t_;  // of a row: its largest, and when
};

}  // namespace armature::internal
