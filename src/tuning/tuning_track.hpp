// What tuning keeps of a run on its way: the integrals of the squared errors (tuning.hpp), and whether the run is lost. Freestanding:
// runs of the processor and of a card keep the same bits.
#pragma once

#include "step/scalar.hpp"

namespace armature::step {

// What all runs share.
struct TuningMeasure {
  int nq = 0, nv = 0, nx = 0;
  int positions = 0, velocities = 0;  // errors of each
  double speed_limit = 0;             // rad/s or m/s
  const double* reference = nullptr;  // positions and velocities at each step; null: the errors are absolute
  long long references = 0;           // steps
};

class TuningTrack {
 public:
  ARMATURE_STEP void begin() { *this = {}; }

  // The next state, with the errors there and what changes its sign in a singular pose, and whether Phi has its full rank; false: lost.
  ARMATURE_STEP bool look(const TuningMeasure& n, double t, const double* x, const double* outputs, bool full_rank) {
    if (!is_within_limits(n, x)) return false;
    const long long row = count_ < n.references ? count_ : n.references - 1;
    const double* reference = n.reference ? n.reference + row * (n.positions + n.velocities) : nullptr;
    const double position = sum_of_squares(0, n.positions, outputs, reference);
    const double velocity = sum_of_squares(n.positions, n.positions + n.velocities, outputs, reference);
    const double singular = outputs[n.positions + n.velocities];
    ++count_;
    if (sign_ == 0) sign_ = singular;
    if (count_ > 1) {
      if (!full_rank) return false;
      const double half = 0.5 * (t - t_);
      E1_ += half * (position_ + position), E2_ += half * (velocity_ + velocity);
    }
    t_ = t, position_ = position, velocity_ = velocity;
    return singular * sign_ > 0 && finite(position) && finite(velocity);
  }

  // At the end of a motion that lasts so long.
  ARMATURE_STEP double E1(double span) const { return square_root(E1_) / span; }
  ARMATURE_STEP double E2(double span) const { return square_root(E2_) / span; }

 private:
  ARMATURE_STEP static bool is_within_limits(const TuningMeasure& n, const double* x) {
    for (int i = 0; i < n.nx; ++i)
      if (!finite(x[i])) return false;
    for (int i = 0; i < n.nv; ++i)
      if (absolute(x[n.nq + i]) > n.speed_limit) return false;
    return true;
  }

  ARMATURE_STEP static double sum_of_squares(int from, int to, const double* outputs, const double* reference) {
    double sum = 0;
    for (int i = from; i < to; ++i) {
      const double error = reference ? outputs[i] - reference[i] : outputs[i];
      sum += error * error;
    }
    return sum;
  }

  double sign_ = 0;  // of `singular` at the start
  long long count_ = 0;
  double t_ = 0, position_ = 0, velocity_ = 0;  // of the last state, and |error|^2 there
  double E1_ = 0, E2_ = 0;                      // integrals of these
};

}  // namespace armature::step
