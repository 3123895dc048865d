// Controllers as signals: recorded under their own names, and used by each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "control/controlled.hpp"

namespace armature::internal {
namespace {

// The output of a controller is a channel of its own name.
TEST(Controllers, OutputsAreRecorded) {
  const Simulation run = simulated_text(controlled_disc("type: pd, measure: turn, target: 1, kp: 2, kd: 0.1"));
  const auto u = run.column("c"), x = run.column("turn"), v = run.column("turn'");
  for (std::size_t k = 0; k < u.size(); ++k) ASSERT_NEAR(u[k], 2 * (1 - x[k]) - 0.1 * v[k], 1e-12);
}

TEST(Controllers, ALoopWithoutDelayIsRefused) {
  try {
    prepared_text(controlled_disc("type: formula, is: 2*c2}\n  c2: {type: formula, is: c", "end: 1"));
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("depends on itself"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace armature::internal
