// Whether dense output of a step contradicts the equations of motion at a moment inside it. The slopes may differ by what the tolerance allows:
//
//   - over the step, the difference moves the state by no more than the tolerance, or
//   - it is a small part of what the rate strays from the line between both ends of the step, or
//   - an error of the state explains it, as in stiff machines.
//
// Motion, of the step:
//   bool evaluate(t)              x() and rates() there; false: not known, or the pose is nearly singular
//   x(), rates(), tolerance(i)    the state there, f, and the tolerance of an entry
//   rates_beside(t, direction)    f where every entry i of x is moved by sign_of(direction, i) tolerances; null: it is not known
//   entries(), entry(k)           those of x that are compared; slope(k, t), length()
#pragma once

#include "step/called.hpp"
#include "step/scalar.hpp"

namespace armature::step {

namespace slopes {
inline constexpr double much_off = 1;         // tolerances in one step, of which there may be many
inline constexpr double unseen_share = 0.01;  // of what a rate strays from the line between the ends of a step
inline constexpr double own_errors = 10;      // tolerances that a state may err by within a step
inline constexpr int directions = 4;
ARMATURE_STEP double sign_of(int direction, int entry) {
  return (direction & 1) != 0 && (entry >> (direction >> 1) & 1) != 0 ? -1 : 1;
}
}  // namespace slopes

// An entry's rate is off by as little as errors of the state may make it: all entries are moved at once, in some directions, by little, since
// the top of something narrow is flat.
template <class Motion>
ARMATURE_CALLED bool is_explained(Motion& motion, double t, int entry, double off, double state_errors) {
  for (int direction = 0; direction < slopes::directions; ++direction) {
    const double* beside = motion.rates_beside(t, direction);
    if (!beside || state_errors * absolute(beside[entry] - motion.rates()[entry]) >= off) return true;
  }
  return false;
}

template <class Motion>
ARMATURE_CALLED bool contradicts_equations(Motion& motion, double t0, double t1, double t) {
  if (!motion.evaluate(t)) return false;
  for (int k = 0; k < motion.entries(); ++k) {
    const int i = motion.entry(k);
    const double rate = motion.rates()[i], off = absolute(rate - motion.slope(k, t));
    if (!(off * motion.length() > slopes::much_off * motion.tolerance(i))) continue;
    const double line = motion.slope(k, t0) + (motion.slope(k, t1) - motion.slope(k, t0)) * (t - t0) / (t1 - t0);
    if (off > slopes::unseen_share * absolute(rate - line) && !is_explained(motion, t, i, off, slopes::own_errors))
      return true;
  }
  return false;
}

}  // namespace armature::step
