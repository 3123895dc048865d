// The accelerations and multipliers of a prepared model at a state, by name.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "prepare/setup.hpp"

namespace armature::internal {

struct NamedAcceleration {
  std::map<std::string, double> vdot;    // by velocity: "theta1'"
  std::map<std::string, double> lambda;  // by constraint row: "wrist2.x"
};

inline NamedAcceleration acceleration_at(const Prepared& prepared, const State& state) {
  const auto dynamics = make_dynamics(prepared);
  dynamics->set_state(state);
  dynamics->follow_roots(true);
  Eigen::VectorXd xdot(dynamics->size());
  EXPECT_TRUE(dynamics->derivative(state.t, state.x.data(), xdot.data()));
  const Equations& e = prepared.system->equations();
  NamedAcceleration result;
  for (std::size_t i = 0; i < e.velocities.size(); ++i)
    result.vdot[e.velocities[i].name] = dynamics->acceleration().vdot[i];
  for (std::size_t i = 0; i < e.rows.size(); ++i) result.lambda[e.rows[i].name] = dynamics->acceleration().lambda[i];
  return result;
}

inline NamedAcceleration acceleration_at_start(const Prepared& prepared) {
  return acceleration_at(prepared, prepared.start);
}

}  // namespace armature::internal
