// Weights of sliding modes in eight lanes: sliding.hpp, for lanes in which one mode slides. Which one differs from lane to
// lane.
#pragma once

#include <array>

#include "system/kernel_evaluator.hpp"

namespace armature {

class SlidingLanes {
 public:
  explicit SlidingLanes(SystemLanes& system) : system_(system) { mode_.fill(-1); }

  void set(int k, int mode);  // -1: none in this lane, or several
  LaneMask lanes() const { return lanes_; }
  int mode(int k) const { return mode_[static_cast<std::size_t>(k)]; }
  double weight(int k) const { return system_.weights()[mode(k)][k]; }

  // At the states that are set in the system: weights of 1/2 in some lanes; and from the acceleration with these xdot, after
  // which the weights are as found. Returns the lanes in which this is what Dynamics would do; in the others nothing is to be
  // used.
  void begin(LaneMask lanes);
  LaneMask finish(LaneMask lanes, const AccelerationView<lane_count>& view, LaneRow* xdot);

 private:
  void set_weights(LaneMask lanes, double weight);
  LaneMask accelerate(LaneMask lanes, LaneRow& lack, LaneRow* xdot);  // with the weights as set; xdot null: not wanted
  LaneMask take_lack(LaneMask lanes, const LaneRow* vdot, LaneRow& lack);  // d(root)/dt + rate root

  SystemLanes& system_;
  std::array<int, lane_count> mode_;
  LaneMask lanes_ = 0;
  LaneRow root_{};
};

}  // namespace armature
