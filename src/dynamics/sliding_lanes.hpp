// Weights of sliding modes in eight lanes: sliding.hpp, for lanes in which one mode slides. Which one differs from lane to
// lane.
#pragma once

#include <array>

#include "system/system_lanes.hpp"

namespace armature {

class SlidingLanes {
 public:
  explicit SlidingLanes(SystemLanes& system) : system_(system) { mode_.fill(-1); }

  void set(int k, int mode);  // -1: none in this lane, or several
  LaneMask lanes() const { return lanes_; }
  int mode(int k) const { return mode_[static_cast<std::size_t>(k)]; }
  double weight(int k) const { return system_.weights()[mode(k)][k]; }

  // xdot in some lanes, in which weights are then as found. Returns the lanes in which this is what Dynamics would do; in the
  // others nothing is to be used.
  LaneMask derivative(LaneMask lanes, const LaneRow& t, const LaneRow* x, LaneRow* xdot);

 private:
  void set_weights(LaneMask lanes, double weight);
  LaneMask lack(LaneMask lanes, LaneRow& result, LaneRow* xdot);  // d(root)/dt + rate root, with the weights as set

  SystemLanes& system_;
  std::array<int, lane_count> mode_;
  LaneMask lanes_ = 0;
  LaneRow root_{};
};

}  // namespace armature
