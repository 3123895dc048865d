// From a pose that closes the loops to the nearest one around it; assembly_descent.cpp says how.
#pragma once

#include "dynamics/assembly_rows.hpp"

namespace armature::internal {

class AssemblyDescent : public AssemblyRows {
 public:
  using AssemblyRows::AssemblyRows;

  void draw_near(State& state);  // of closed loops: moves to the nearest pose that closes them, of those around

 private:
  struct Slope;
  void descend(State& state, Goal goal);
  double objective(const State& state, Goal goal) const;
  Eigen::VectorXd gradient(const State& state, Goal goal) const;
  Slope slope(const State& state, Goal goal);
  Eigen::VectorXd curvature(const State& state, Goal goal, const Eigen::VectorXd& multipliers,
                            const Eigen::VectorXd& v);
  Eigen::VectorXd newton_step(const State& state, Goal goal, const Slope& slope, double radius);
};

}  // namespace armature::internal
