// What derivatives across an instant need of the equations: forward (saltation.hpp) and backward in time (adjoint_jump.hpp).
#pragma once

#include <algorithm>
#include <vector>

#include "mechanics/equations.hpp"

namespace armature::internal::jump_equations {

inline constexpr double at_zero =
    1e-6;  // of the largest a root has been: farther away it has jumped, and follows another one
inline constexpr double same_shift =
    1e-6;  // relative: two roots that are zero together because they follow one from the other
inline constexpr double same_time = 1e-12;  // relative: between a jump and what follows it at once
inline constexpr double smooth = 1e-6;  // relative: rates that do not change at an event but for where it was located

using List = std::vector<Expression>;
List comparison_roots(const Equations& e);
List next_values(const Equations& e);  // of discrete ones
// The edge that a root has come to.
double edge_of(const Graph::Comparison& comparison, double root);

int impact_work_state(const Equations& e);  // holds the work of impulses, in x; -1: there are none
// M (v - u) + Phi' mu, phidot: zero across an impulse; given: the velocities u before it, and its multipliers mu.
struct ImpulseBalance {
  List zero, given;
};
ImpulseBalance impulse_balance(const Equations& e);
Expression stored_energy(const Equations& e);

// Of two shifts of the time.
template <class Vector>
bool same(const Vector& a, const Vector& b) {
  return (a - b).cwiseAbs().maxCoeff() <= same_shift * std::max(a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff());
}

}  // namespace armature::internal::jump_equations
