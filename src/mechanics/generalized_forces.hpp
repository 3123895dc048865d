// Forces and inertia that act on rates, expressions  rate = J v  that are linear in v.
#pragma once

#include <map>
#include <utility>

#include "mechanics/time_derivative.hpp"

namespace armature::internal {

class GeneralizedForces {
 public:
  GeneralizedForces(Velocities& velocities, TimeDerivative& time_derivative)
      : velocities_(velocities), time_derivative_(time_derivative) {}

  void apply(Expression effort, Expression rate);         // f += J' effort
  void add_inertia(Expression inertia, Expression rate);  // 1/2 inertia rate^2; rate must be a time derivative

  const std::map<int, Expression>& applied() const { return applied_; }                  // by velocity
  const std::map<std::pair<int, int>, Expression>& inertia() const { return inertia_; }  // between two velocities

 private:
  Velocities& velocities_;
  TimeDerivative& time_derivative_;
  std::map<int, Expression> applied_;
  std::map<std::pair<int, int>, Expression> inertia_;
};

}  // namespace armature::internal
