// The motion linearized about a state, in independent coordinates:
//
//   xi' = A xi + B du      dy = C xi + D du      xi = (independent positions, their rates, z)
//
// dx = T xi spans the tangent space of phi = 0, phidot = 0: with R the null space of Phi that leaves the independent
// velocities as they are,
//
//   dq = N R eta      dv = R nu + G eta      Phi G = -(dphidot/dq) N R
//
// and A = S J T, where J is the exact derivative of xdot = f(t, x) on the constraints (through lambda: what the forces
// of the loops stiffen is in it) and S picks the independent entries. States of the energy ledger are left out.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "system/state.hpp"
#include "system/system.hpp"

namespace armature::internal {

// The model with an input added to each motor (on its voltage, current or torque) and each effort: parameters named
// u.<motor or effort>, of value zero. Their names are appended to `inputs`.
Model with_inputs(Model model, std::vector<std::string>& inputs);

struct Linearization {
  std::vector<std::string> states, inputs, outputs;
  Eigen::MatrixXd A, B, C, D;
  Eigen::MatrixXd T;  // dx = T xi; nx rows
  std::vector<std::string> independent;
};

// system: compiled with its jacobian; inputs: free parameters of it. Outputs are all positions, then the quantities that
// are recorded. Throws ComputationError where Phi has lost rank, or a derivative is not finite.
Linearization linearize(const std::shared_ptr<const System>& system, const State& state,
                        const std::vector<std::string>& inputs);

// The same system with the programs of its derivatives.
std::shared_ptr<const System> with_jacobian(const System& system);

}  // namespace armature::internal
