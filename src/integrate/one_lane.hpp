// An Ode as the right-hand side of steps of width one (step/runge_kutta.hpp).
#pragma once

#include "integrate/ode.hpp"
#include "step/runge_kutta.hpp"

namespace armature::internal {

struct OneLane {
  Ode& ode;

  bool derivative(bool, const step::Row<1>& t, const step::Row<1>* x, step::Row<1>* xdot) {
    return ode.derivative(t[0], x->lane, xdot->lane);
  }
  bool project(bool, const step::Row<1>& t, step::Row<1>* x, step::Row<1>* error) {
    return ode.project(t[0], x->lane, error ? error->lane : nullptr);
  }
  step::Finish<1> finish(bool, const step::Row<1>& t, step::Row<1>* x, step::Row<1>* xdot, step::Row<1>* error,
                         const step::Row<1>& weight) {
    const Ode::Finish done = ode.finish(t[0], x->lane, xdot->lane, error->lane, weight[0]);
    return {done == Ode::Finish::all, done == Ode::Finish::all_before, done == Ode::Finish::all_but_derivative};
  }
};

}  // namespace armature::internal
