// Eight states of one Ode at once (ode.hpp): what is asked for some lanes leaves the others as they are.
#pragma once

#include "integrate/ode.hpp"
#include "step/lanes.hpp"
#include "step/runge_kutta.hpp"

namespace armature::internal {

class LaneOde {
 public:
  virtual ~LaneOde() = default;
  virtual int size() const = 0;

  // xdot = f(t, x); returns the lanes in which it could be evaluated.
  virtual LaneMask derivative(LaneMask lanes, const LaneRow& t, const LaneRow* x, LaneRow* xdot) = 0;

  // Returns x to its manifold; error null: there is none. Returns the lanes that came there.
  virtual LaneMask project(LaneMask lanes, const LaneRow& t, LaneRow* x, LaneRow* error) = 0;

  // Both at the end of a step (Ode::finish); lanes that are in neither are as before.
  using Finish = step::Finish<lane_count>;
  virtual Finish finish(LaneMask lanes, const LaneRow& t, LaneRow* x, LaneRow* xdot, LaneRow* error,
                        const LaneRow& weight) {
    (void)lanes, (void)t, (void)x, (void)xdot, (void)error, (void)weight;
    return {};
  }

  // A single lane, where it is known alone.
  virtual Ode* alone(int lane) {
    (void)lane;
    return nullptr;
  }
};

}  // namespace armature::internal
