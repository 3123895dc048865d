// What round-off makes of a root and of its rate: below that their signs say nothing. Constraints hold to about 1e-12 of the
// coordinates they bind, and so do accelerations; with differences of the root over just these errors,
//
//   of the root  max_i |rho(x + delta_i e_i) - rho(x)|,   delta_i = 1e-12 (s_i + |x_i|), and of time what zeros are found to
//   of its rate  1e-12 max |vdot| sum_i |d rho/d v_i|
//
// with s_i the size of a state in this machine and run (EventSizes).
#pragma once

#include "step/called.hpp"
#include "step/comparison.hpp"

namespace armature::step {

namespace root_noise {
inline constexpr double round_off = resolved(1e-12);  // of a state: how well constraints hold
inline constexpr double of_time = resolved(1e-15);    // a few units of the last place
ARMATURE_STEP double finite_or_zero(double value) { return finite(value) ? absolute(value) : 0; }
}  // namespace root_noise

// What the event functions are of.
struct EventSizes {
  int comparisons = 0, nq = 0, nv = 0, nx = 0;
  const int* entries = nullptr;  // of x, that some root depends on
  int entry_count = 0;
  // One an entry of x: 1 rad or the machine's length, and as much in a tenth of the run; null: 1 of each.
  const double* sizes = nullptr;

  // Ten changes in a run, 1/s: velocities change by their sizes where positions do.
  ARMATURE_STEP double rate() const {
    double of_positions = 0, of_velocities = 0;
    for (int i = 0; sizes && i < nq; ++i) of_positions = larger(of_positions, sizes[i]);
    for (int i = 0; sizes && i < nv; ++i) of_velocities = larger(of_velocities, sizes[nq + i]);
    return of_positions > 0 ? of_velocities / of_positions : 1;
  }
};

// At a state; x is as before afterwards. The outcomes stay as they are.
template <class Engine>
ARMATURE_CALLED void take_root_noise(Engine& engine, const EventSizes& n, double t, double* x,
                                     Comparison* comparisons) {
  using namespace root_noise;
  const double* roots = engine.roots(t, x);
  for (int k = 0; k < n.comparisons; ++k) comparisons[k].held_root = roots[k], comparisons[k].slope = 0;
  roots = engine.roots(t * (1 + of_time), x);
  for (int k = 0; k < n.comparisons; ++k) comparisons[k].noise = finite_or_zero(roots[k] - comparisons[k].held_root);
  for (int i = 0; i < n.entry_count; ++i) {
    const int entry = n.entries[i];
    const double held = x[entry], delta = round_off * ((n.sizes ? n.sizes[entry] : 1) + absolute(held));
    x[entry] += delta;
    roots = engine.roots(t, x);
    x[entry] = held;
    const bool is_velocity = entry >= n.nq && entry < n.nq + n.nv;
    for (int k = 0; k < n.comparisons; ++k) {
      const double difference = finite_or_zero(roots[k] - comparisons[k].held_root);
      comparisons[k].noise = larger(comparisons[k].noise, difference);
      if (is_velocity) comparisons[k].slope += difference / delta;
    }
  }
}

ARMATURE_STEP double rate_noise(const Comparison& comparison, double largest_acceleration) {
  return root_noise::round_off * comparison.slope * root_noise::finite_or_zero(largest_acceleration);
}

}  // namespace armature::step
