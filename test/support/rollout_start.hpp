// The start of a machine as a state of a rollout.
#pragma once

#include <vector>

#include "run/rollout.hpp"

namespace armature::internal {

inline std::vector<double> rollout_start(const Prepared& prepared) {
  std::vector<double> state;
  for (const int i : rollout_states(prepared.system->equations())) state.push_back(prepared.start.x[i]);
  return state;
}

}  // namespace armature::internal
