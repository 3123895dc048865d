// Eight states of one Ode at once (ode.hpp): what is asked for some lanes leaves the others as they are.
#pragma once

#include "expression/lanes.hpp"
#include "integrate/ode.hpp"

namespace armature {

class LaneOde {
 public:
  virtual ~LaneOde() = default;
  virtual int size() const = 0;

  // xdot = f(t, x); returns the lanes in which it could be evaluated.
  virtual LaneMask derivative(LaneMask lanes, const LaneRow& t, const LaneRow* x, LaneRow* xdot) = 0;

  // Returns x to its manifold; error null: there is none. Returns the lanes that came there.
  virtual LaneMask project(LaneMask lanes, const LaneRow& t, LaneRow* x, LaneRow* error) = 0;

  // Both at the end of a step (Ode::finish); lanes that are in neither are as before.
  struct Finish {
    LaneMask all = 0, all_before = 0, all_but_derivative = 0;
    LaneMask any() const { return all | all_before | all_but_derivative; }
  };
  virtual Finish finish(LaneMask lanes, const LaneRow& t, LaneRow* x, LaneRow* xdot, LaneRow* error,
                        const LaneRow& weight) {
    (void)lanes, (void)t, (void)x, (void)xdot, (void)error, (void)weight;
    return {};
  }

  // f of a single lane; and all of it, where it is known alone.
  virtual bool derivative(int lane, double t, const double* x, double* xdot) = 0;
  virtual Ode* alone(int lane) {
    (void)lane;
    return nullptr;
  }
};

}  // namespace armature
