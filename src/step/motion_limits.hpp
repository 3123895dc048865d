// What the numbers of a motion may be off by before something is said of it (run/judgement.hpp), and before a motion on a GPU leaves that to
// the processor.
#pragma once

#include "step/scalar.hpp"

namespace armature::step {

struct MotionLimits {
  // A gap beyond this share of the machine's size is no small error of a closed loop any more: an arm of 1 m misses its bearing by
  // 1 mm, which is more than the play of any bearing. Whatever chose the steps or the stabilization, the motion is another machine's.
  static constexpr double loop_is_open = 1e-3;
  // Shares of the energy in motion.
  static constexpr double unbalanced = 0.01;
  static constexpr double promised = 100;     // rtol: see run/judgement.hpp
  static constexpr double round_off = 1e-10;  // what long motions lose at the smallest tolerances

  ARMATURE_STEP static double of_promise(double rtol) { return larger(promised * rtol, round_off); }
};

}  // namespace armature::step
