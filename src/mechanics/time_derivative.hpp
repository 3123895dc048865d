// The total time derivative of expressions of positions and t,  x' = (dx/dq) N(q) v + dx/dt;  of one that has velocities in it, at
// vdot = 0.
#pragma once

#include <optional>

#include "expression/derivative.hpp"
#include "mechanics/velocities.hpp"

namespace armature::internal {

class TimeDerivative {
 public:
  TimeDerivative(const Equations& equations, const Velocities& velocities)
      : equations_(equations), velocities_(velocities) {}

  Expression operator()(Expression x);
  // With rates of further leaves, by leaf.
  Expression operator()(Expression x, LeafMap further_rates);

 private:
  void update();  // after coordinates were added

  const Equations& equations_;
  const Velocities& velocities_;
  std::size_t known_ = 0;  // coordinates whose rates `derivative_` has
  LeafMap rates_;          // t -> 1, q -> qdot, virtual displacements -> their velocities
  std::optional<Derivative> derivative_;
};

}  // namespace armature::internal
