// A motion of a rollout (run/rollout.hpp) as a motion of gpu/motions.hpp: so many steps of one length, with inputs that may change at each,
// and states that are kept on the way. Its arrays lie on the card; what all motions share lies in one array:
//
//   t  step  inputs_change  alpha  beta  |  steps  every  motions  inputs  kept  |  d  |  p        inputs, kept: where those arrays are
//
// Whole numbers from `steps` on are in parts of 16 bits, four each, which single precision holds, too.
#pragma once

#include "gpu/motions.hpp"
#include "step/dop853.hpp"
#include "step/exported.hpp"

namespace armature::step {

template <class Plant>
class RolloutMotion {
 public:
  static constexpr int inputs = Plant::nx;  // the state
  static constexpr int results = 1;
  static constexpr bool is_large = false;

  ARMATURE_STEP Progress begin(const double* common, const double* x, long long number) {
    state_ = {};
    state_.t = state_.from = common[0];
    for (int i = 0; i < Plant::nx; ++i) state_.x[i] = x[i];
    for (int i = 0; i < Plant::nd; ++i) state_.d[i] = common[scalars + i];
    number_ = number, step_ = 0;
    take_inputs(common);
    p_[Plant::np] = common[3], p_[Plant::np + 1] = common[4];
    ExportedStep<Plant>::follow(state_, p_);
    return Plant::take_out_of_reach() ? Progress::leaves : Progress::goes_on;
  }

  ARMATURE_STEP bool is_rare_next() const { return false; }
  ARMATURE_STEP Progress advance(const double* common) {
    if (step_ > 0 && common[2] != 0) take_inputs(common);
    const bool stepped = ExportedStep<Plant>::go(state_, p_, common[1]) == StepStatus::ok;
    if (Plant::take_out_of_reach() || !stepped) return Progress::leaves;
    ++step_;
    const long long steps = whole(common, 0), every = whole(common, 1);
    if (every > 0 ? step_ % every == 0 : step_ == steps) keep(common, every > 0 ? step_ / every - 1 : 0);
    return step_ == steps ? Progress::ended : Progress::goes_on;
  }

  ARMATURE_STEP void result(const double*, double* numbers) const { numbers[0] = 0; }

 private:
  static constexpr int numbers = 5, parts = 4, scalars = numbers + 5 * parts;

  ARMATURE_STEP static long long whole(const double* common, int k) {
    const double* part = common + numbers + k * parts;
    unsigned long long result = 0;
    for (int i = 0; i < parts; ++i) result |= static_cast<unsigned long long>(part[i]) << (16 * i);
    return static_cast<long long>(result);
  }
  ARMATURE_STEP static double* array(const double* common, int k) {
    return reinterpret_cast<double*>(whole(common, k));
  }

  ARMATURE_STEP void take_inputs(const double* common) {
    const double* given = array(common, 3);
    const double* from = given ? given + ((common[2] != 0 ? step_ * whole(common, 2) : 0) + number_) * Plant::np
                               : common + scalars + Plant::nd;
    for (int i = 0; i < Plant::np; ++i) p_[i] = from[i];
  }

  ARMATURE_STEP void keep(const double* common, long long row) const {
    double* to = array(common, 4) + (row * whole(common, 2) + number_) * Plant::nx;
    for (int i = 0; i < Plant::nx; ++i) to[i] = state_.x[i];
  }

  typename Plant::State state_;
  double p_[Plant::np + 2];
  long long number_, step_;
};

}  // namespace armature::step
