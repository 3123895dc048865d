// The rigid contacts of a machine in one state, in the kinetic metric along its constraints: with the rows G of normals and tangents
//
//   M dv + Phi' mu = G' p,  Phi dv = 0     so that     G dv = A p,   A = G M^-1 G' of what the constraints leave free.
//
// Rows 2 i and 2 i + 1 are the normal and the tangent of contact i; second tangents, in space, stand behind all of these. Constraints may be redundant, and the pose singular: rows of Phi
// that depend on others are left out. Dense matrices: where the traced solve is regular, the kernel contact_response and step/contact_rows.hpp
// do the same.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "linear/kinetic_rows.hpp"
#include "system/state.hpp"
#include "system/system.hpp"

namespace armature::internal {

class ContactRows {
 public:
  explicit ContactRows(SystemEvaluator& evaluator);  // kept by reference
  int count() const { return static_cast<int>(gap.size()); }

  // With the outcomes and discrete values that are set; false: something is not finite.
  bool evaluate(double t, const double* x);
  bool evaluate(const State& state) { return evaluate(state.t, state.x.data()); }

  Eigen::VectorXd gap, gap_rate, sliding;  // one a contact
  Eigen::VectorXd gap_bias, sliding_bias;  // gap'' and s' without accelerations
  Eigen::VectorXd velocity, bias;          // the same of all rows of G
  Eigen::VectorXd restitution, friction, tangential_restitution;
  Eigen::MatrixXd G, A;
  std::vector<int> second;  // of each contact: the row of its second tangent; -1: none

  Eigen::VectorXd velocities_after(const Eigen::VectorXd& p) const { return response_ * p; }  // dv
  const double* responses() const { return response_.data(); }  // of a unit of each impulse, row after row

 private:
  SystemEvaluator& evaluator_;
  Terms terms_;
  KineticRows rows_;
  Eigen::MatrixXd response_;  // nv x rows of G
};

}  // namespace armature::internal
