// What keeps a motion on its constraints: Baumgarte's terms change the accelerations, projection and post-adjusting
// change the state after a step. Any combination, or none.
#pragma once

#include <optional>
#include <vector>

#include "dynamics/machine_size.hpp"

namespace armature::internal {

// Adjusts dependent coordinates only, by a penalty: see post_adjust.hpp.
struct PostAdjustOptions {
  double weight = 0.1;       // of staying where the integrator went
  double penalty = 100;      // of phi and phidot
  double tolerance = 1e-12;  // of the gradient
  int iterations = 10;
  std::vector<int> independent = {};  // velocities that stay; empty: chosen by pivoted QR at each call
};

struct Stabilization {
  double alpha = 0;  // 1/s,   b = gamma - alpha phidot - beta phi
  double beta = 0;   // 1/s^2
  bool projection = true;
  std::optional<PostAdjustOptions> post_adjust = {};
};

// What projection goes by: taken at the first state of a motion.
struct ProjectionBeginning {
  MachineSize size;       // not known: not begun
  bool singular = false;  // branches meet there
};

}  // namespace armature::internal
