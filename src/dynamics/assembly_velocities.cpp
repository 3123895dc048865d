// Velocities of a start: linear, and so found at once.
#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/assembly_steps.hpp"

namespace armature::internal {

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
  condition_groups_.clear();  // those of positions
  put_named_speeds(state);
  for (int pass = 0; pass <= passes; ++pass) {
    // what loops and conditions miss with these velocities
    evaluator_.set(state.t, state.x.data());
    evaluator_.motion(terms_);
    VectorXd residual;
    SparseMatrix J(0, nv);
    if (conditions_) evaluator_.start_velocity(residual, J);
    const int loops = static_cast<int>(terms_.phidot.size());
    speed_ = residual.head(keeps);
    const VectorXd keep_scale = metric_.scales(speed_keep());
    c_.resize(loops + keeps);
    c_ << metric_.row_scale().cwiseProduct(terms_.phidot), keep_scale.cwiseProduct(speed_);
    if (pass == passes || (pass > 0 && near.empty())) break;
    // the step that takes the misses away
    StackedRows C(nv);
    C.add(terms_.Phi, 0, metric_.row_scale()), C.add(J, 0, keep_scale);
    C.copy_to(C_);
    group_rows(loops);
    StackedRows wanted(nv);
    wanted.add(J, keeps, near_scale);
    wanted.copy_to(J_), r_ = near_scale.cwiseProduct(residual.tail(near_scale.size()));
    if (!solve(weight) || !dv_.allFinite()) return false;
    v += dv_;
  }
  measure_speeds(v);
  return true;
}

// To the last bit, what a solve would do up to round-off. A value may be that of another one (a relaxed gear), so twice.
void AssemblySteps::put_named_speeds(State& state) {
  if (!conditions_) return;
  VectorXd residual;
  SparseMatrix J;
  for (int pass = 0; pass < 2; ++pass) {
    evaluator_.set(state.t, state.x.data());
    evaluator_.motion(terms_);
    evaluator_.start_velocity(residual, J);
    int row = 0;
    for (const auto* conditions : {&equations().speed_keep, &equations().speed_near})
      for (const StartCondition& condition : *conditions) {
        for (int j = 0; j < configuration_.nv(); ++j)
          if (const int i = configuration_.position_of(j); i >= 0 && equations().positions[i].name == condition.name)
            state.x[configuration_.nq() + j] -= residual[row];
        ++row;
      }
  }
}

// What counts as met: against the largest of the terms that make up a row, among them what it asks for at rest, c - C v.
void AssemblySteps::measure_speeds(const VectorXd& v) {
  double largest = std::numeric_limits<double>::min();
  for (int i = 0; i < C_.rows(); ++i) {
    double size = 0, at_rest = c_[i];
    for (SparseMatrix::InnerIterator entry(C_, i); entry; ++entry) {
      const double term = entry.value() * v[entry.col()];
      size += std::abs(term), at_rest -= term;
    }
    largest = std::max(largest, size + std::abs(at_rest));
  }
  c_size_.setConstant(c_.size(), largest);
}

}  // namespace armature::internal
