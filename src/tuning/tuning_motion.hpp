// A run of tuning as a motion of gpu/motions.hpp. Plant also has look(in, out), the program of tuning_outputs(), and how many errors it
// gives. What all runs share lies in one array:
//
//   t  end  step  speed_limit  references  |  x  |  d  |  p  |  reference
#pragma once

#include "gpu/motions.hpp"
#include "step/dop853.hpp"
#include "step/exported.hpp"
#include "tuning/tuning_track.hpp"

namespace armature::step {

template <class Plant>
class TuningMotion {
 public:
  static constexpr int inputs = 2;   // alpha, beta
  static constexpr int results = 3;  // when the run was lost (not a number: it was not), E1, E2
  static constexpr bool is_large = false;

  ARMATURE_STEP Progress begin(const double* common, const double* gains, long long) {
    if (gains[0] == 0 && gains[1] == 0) return Progress::leaves;  // without Baumgarte's terms: other programs
    const double* from = common + scalars;
    state_ = {};
    state_.t = state_.from = common[0];
    for (int i = 0; i < Plant::nx; ++i) state_.x[i] = *from++;
    for (int i = 0; i < Plant::nd; ++i) state_.d[i] = *from++;
    for (int i = 0; i < Plant::np; ++i) p_[i] = *from++;
    p_[Plant::np] = gains[0], p_[Plant::np + 1] = gains[1];
    track_.begin();
    return look(common);
  }

  ARMATURE_STEP bool is_rare_next() const { return false; }
  ARMATURE_STEP Progress advance(const double* common) {
    const bool stepped = ExportedStep<Plant>::go(state_, p_, common[2], common[1]) == StepStatus::ok;
    return stepped ? look(common) : Progress::leaves;
  }

  ARMATURE_STEP void result(const double* common, double* numbers) const {
    const double unknown = infinity - infinity, span = common[1] - common[0];
    numbers[0] = lost_ ? state_.t : unknown;
    numbers[1] = lost_ ? unknown : track_.E1(span);
    numbers[2] = lost_ ? unknown : track_.E2(span);
  }

 private:
  static constexpr int scalars = 5;

  ARMATURE_STEP Progress look(const double* common) {
    TuningMeasure measure;
    measure.nq = Plant::nq, measure.nv = Plant::nv, measure.nx = Plant::nx;
    measure.positions = Plant::position_errors, measure.velocities = Plant::velocity_errors;
    measure.speed_limit = common[3], measure.references = static_cast<long long>(common[4]);
    measure.reference = measure.references > 0 ? common + scalars + Plant::nx + Plant::nd + Plant::np : nullptr;
    double in[Plant::inputs], out[Plant::position_errors + Plant::velocity_errors + 1];
    Plant::set(state_.t, state_.x, state_.d, p_, in);
    Plant::look(in, out);
    lost_ = !track_.look(measure, state_.t, state_.x, out, true);  // a step with a small pivot leaves
    if (Plant::take_out_of_reach()) return Progress::leaves;
    return lost_ || !(state_.t < common[1]) ? Progress::ended : Progress::goes_on;
  }

  typename Plant::State state_;
  double p_[Plant::np + 2];
  TuningTrack track_;
  bool lost_ = false;
};

}  // namespace armature::step
