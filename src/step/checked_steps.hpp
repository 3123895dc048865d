// After which steps a motion of a study or a rollout is checked: every 32nd, and every 4th before that, so that a motion of a few steps shows the energy
// that is in motion as a run shows it at its rows. Freestanding: a card checks the same steps.
#pragma once

#include "step/scalar.hpp"

namespace armature::step {

inline constexpr long check_interval = 32;

ARMATURE_STEP bool is_checked(long steps) {
  constexpr long at_first = 4;
  return steps % (steps < check_interval ? at_first : check_interval) == 0;
}

}  // namespace armature::step
