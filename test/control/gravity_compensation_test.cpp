// The effort that holds a slider-crank at rest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "control/controlled.hpp"

namespace armature::internal {
namespace {

TEST(GravityCompensation, GravityCompensationHoldsAClosedLoop) {
  const Simulation run = simulated_text(std::string(controlled_crank) +
                                        "controllers: {g: {type: gravity_compensation, on: [crank]}}\nforces: {hold: "
                                        "{type: effort, on: crank, is: g.crank}}\n");
  for (double x : run.column("crank")) ASSERT_NEAR(x, 0.7, 1e-9);
  EXPECT_GT(std::abs(run.last("g.crank")), 0.5);
}

TEST(GravityCompensation, GravityCompensationMayBeSampled) {
  const Simulation run = simulated_text(
      std::string(controlled_crank) +
      "controllers: {g: {type: gravity_compensation, on: [crank], sampled: {period: 10 ms}}}\nforces: {hold: "
      "{type: effort, on: crank, is: g.crank}}\n");
  for (double x : run.column("crank")) ASSERT_NEAR(x, 0.7, 1e-9);
}

// Of an arm of 2 kg whose center is 0.3 m from its axis, with a spring of 5 N m/rad: m g r cos(q) + k q, whatever it moves with.
TEST(GravityCompensation, BalancesWeightAndSpring) {
  for (const char* speed : {"0", "4"}) {
    const Moment now = moment_of(
        "gravity: [0, -10, 0]\nplane: xy\nbodies: {arm: {mass: 2, center: [0.3, 0, 0], inertia: {zz: 0.1}}}\n"
        "joints: {q: {type: revolute, between: [ground, arm], spring: {stiffness: 5}, damping: 3}}\n"
        "controllers: {g: {type: gravity_compensation, on: [q]}}\nstart: {keep: {q: 0.4}, speed: {q: " +
        std::string(speed) + "}}\n");
    EXPECT_NEAR(now["g.q"], 2 * 10 * 0.3 * std::cos(0.4) + 5 * 0.4, 1e-12) << speed;
  }
}

}  // namespace
}  // namespace armature::internal
