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

LaneMask SlidingLanes::take_lack(LaneMask lanes, const LaneRow* vdot, LaneRow& lack) {
  const LaneRow* rates = system_.root_rates(vdot);
  for_each_lane(lanes, [&](int k) {
    lack[k] = rates[mode(k)][k] + Sliding::rate * root_[k];
    if (!std::isfinite(lack[k])) lanes &= ~(1u << k);
  });
  return lanes;
}

LaneMask SlidingLanes::accelerate(LaneMask lanes, LaneRow& lack, LaneRow* xdot) {
  const AccelerationView<lane_count> view = system_.acceleration();
  lanes &= regular_accelerations(system_.system(), view);
  if (xdot) copy_derivative(lanes, system_.system().layout(), view, xdot);
  return take_lack(lanes, view.vdot, lack);
}

void SlidingLanes::begin(LaneMask lanes) {
  set_weights(lanes, 0.5);
  const LaneRow* roots = system_.roots();
  for_each_lane(lanes, [&](int k) { root_[k] = roots[mode(k)][k]; });
}

LaneMask SlidingLanes::finish(LaneMask lanes, const AccelerationView<lane_count>& view, LaneRow* xdot) {
  LaneRow lack{}, other{}, slope{}, size{};
  lanes = take_lack(lanes & regular_accelerations(system_.system(), view), view.vdot, lack);
  set_weights(lanes, 1);
  lanes = accelerate(lanes, other, nullptr);
  set_weights(lanes, 0.5);
  for_each_lane(lanes, [&](int k) {
    slope[k] = 2 * (other[k] - lack[k]);
    size[k] = norm(lack[k]);
    if (!Sliding::divides(slope[k])) lanes &= ~(1u << k);
  });
  LaneMask open = lanes;
  for (int pass = 0; pass < 2 && open; ++pass) {
    for_each_lane(open, [&](int k) { system_.weights()[mode(k)][k] += -lack[k] / slope[k]; });
    const LaneMask found = accelerate(open, lack, xdot);
    lanes &= ~(open & ~found);
    open = found;
    for_each_lane(found, [&](int k) {
      if (norm(lack[k]) <= Sliding::affine * size[k]) open &= ~(1u << k);
    });
  }
  return lanes;
}

}  // namespace armature
