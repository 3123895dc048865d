// Velocities of a start: linear, and so found at once.
#include <algorithm>
#include <cmath>

#include "dynamics/assembly_steps.hpp"
#include "linear/scaled_rows.hpp"

namespace armature {

using Eigen::VectorXd;

// The conditions are affine in v:  residual(v) = residual(0) + J v. The first step is as short as keep and the loops allow;
// the others only take away what its weight left of the misses of `near`, and so leave alone what `near` does not see.
bool AssemblySteps::velocities(State& state) {
  constexpr double weight = 1e-6;
  constexpr int passes = 3;  // 1e-18 of a miss is left
  const int nq = configuration_.nq(), nv = configuration_.nv();
  const int keeps = static_cast<int>(speed_keep().size());
  std::vector<StartCondition> near = conditions_ ? equations().speed_near : std::vector<StartCondition>{};
  const VectorXd near_scale = metric_.scales(near);
  auto v = state.x.segment(nq, nv);
  v.setZero();
  speeds_ = true;
  for (int pass = 0; pass <= passes; ++pass) {
    evaluator_.set(state.t, state.x.data());
    evaluator_.motion(terms_);
    VectorXd residual;
    SparseMatrix J(0, nv);
    if (conditions_) evaluator_.start_velocity(residual, J);
    const int loops = static_cast<int>(terms_.phidot.size());
    speed_ = residual.head(keeps);
    c_.resize(loops + keeps), c_scale_.resize(loops + keeps);
    c_ << terms_.phidot, speed_;
    c_scale_ << metric_.row_scale(), metric_.scales(speed_keep());
    if (pass == passes || (pass > 0 && near.empty())) break;
    StackedRows C(nv);
    C.add(terms_.Phi, 0, loops), C.add(J, 0, keeps);
    C_ = C.matrix();
    J_ = scaled_rows(J, keeps, near_scale), r_ = near_scale.cwiseProduct(residual.tail(near_scale.size()));
    if (!solve(weight) || !dv_.allFinite()) return false;
    v += dv_;
  }
  measure_speeds(v);
  return true;
}

// What counts as met: against the largest of the terms that make up a row.
void AssemblySteps::measure_speeds(const VectorXd& v) {
  constexpr double at_rest = 1e-6;  // rad/s
  double largest = at_rest;
  for (int i = 0; i < C_.rows(); ++i) {
    double size = 0;
    for (SparseMatrix::InnerIterator entry(C_, i); entry; ++entry) size += std::abs(entry.value() * v[entry.col()]);
    largest = std::max(largest, size * c_scale_[i]);
  }
  c_size_.setConstant(c_.size(), largest);
}

}  // namespace armature
