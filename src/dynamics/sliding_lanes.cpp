#include "dynamics/sliding_lanes.hpp"

#include <cmath>

#include "dynamics/pivot_lanes.hpp"
#include "dynamics/sliding.hpp"

namespace armature {

namespace {

double norm(double x) { return std::sqrt(x * x); }  // as that of a vector of one

}  // namespace

void SlidingLanes::set(int k, int mode) {
  mode_[static_cast<std::size_t>(k)] = mode;
  lanes_ = mode >= 0 ? lanes_ | 1u << k : lanes_ & ~(1u << k);
}

void SlidingLanes::set_weights(LaneMask lanes, double weight) {
  for_each_lane(lanes, [&](int k) { system_.weights()[mode(k)][k] = weight; });
}

LaneMask SlidingLanes::lack(LaneMask lanes, LaneRow& result, LaneRow* xdot) {
  const LaneRow* out = system_.acceleration();
  lanes &= regular_accelerations(system_.system(), out);
  if (xdot) copy_derivative(lanes, system_.system(), out, xdot);
  const LaneRow* rates = system_.root_rates(out);
  for_each_lane(lanes, [&](int k) {
    result[k] = rates[mode(k)][k] + Sliding::rate * root_[k];
    if (!std::isfinite(result[k])) lanes &= ~(1u << k);
  });
  return lanes;
}

LaneMask SlidingLanes::derivative(LaneMask lanes, const LaneRow& t, const LaneRow* x, LaneRow* xdot) {
  LaneRow lack_here{}, other{}, slope{}, size{};
  system_.set(t, x);
  set_weights(lanes, 0.5);
  const LaneRow* roots = system_.roots();
  for_each_lane(lanes, [&](int k) { root_[k] = roots[mode(k)][k]; });
  lanes = lack(lanes, lack_here, nullptr);
  set_weights(lanes, 1);
  lanes = lack(lanes, other, nullptr);
  set_weights(lanes, 0.5);
  for_each_lane(lanes, [&](int k) {
    slope[k] = 2 * (other[k] - lack_here[k]);
    size[k] = norm(lack_here[k]);
    if (!Sliding::divides(slope[k])) lanes &= ~(1u << k);
  });
  LaneMask open = lanes;
  for (int pass = 0; pass < 2 && open; ++pass) {
    for_each_lane(open, [&](int k) { system_.weights()[mode(k)][k] += -lack_here[k] / slope[k]; });
    const LaneMask found = lack(open, lack_here, xdot);
    lanes &= ~(open & ~found);
    open = found;
    for_each_lane(found, [&](int k) {
      if (norm(lack_here[k]) <= Sliding::affine * size[k]) open &= ~(1u << k);
    });
  }
  return lanes;
}

}  // namespace armature
