// Coulomb friction with stiction against closed forms: what sticks stays, what slides stops when and where it must.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

// What sticks rests to the tolerance of the run: 1e-10 of 1 m/s.
constexpr double rest = 1e-10;

std::string block(const std::string& friction, const std::string& push, const std::string& speed, double end) {
  return "gravity: [0, 0, -9.81]\nbodies: {block: {mass: 2}}\n"
         "joints: {x: {type: prismatic, axis: x, between: [ground, block], friction: " +
         friction + "}}\n" + (push.empty() ? "" : "forces: {push: {type: effort, on: x, is: \"" + push + "\"}}\n") +
         "start: {keep: {x: 0}, speed: {x: " + speed + "}}\n" + "simulate: {end: " + std::to_string(end) +
         ", record: 0.01, rtol: 1e-10}\n";
}

// v0 = 3 m/s against 5 N on 2 kg: stops after m v0/F = 1.2 s and m v0^2/(2 F) = 1.8 m, and stays there.
TEST(Coulomb, BlockStops) {
  const Simulation run = simulated_text(block("5", "", "3", 3));
  ASSERT_EQ(run.outcome.events.size(), 1u);
  EXPECT_NEAR(run.outcome.events[0].t, 1.2, 1e-12);
  EXPECT_NE(run.outcome.events[0].what.find("sticks"), std::string::npos) << run.outcome.events[0].what;
  EXPECT_NEAR(run.last("x"), 1.8, rest);
  EXPECT_NEAR(run.last("x'"), 0, rest);
  EXPECT_NEAR(run.last("heat.friction"), 9, 1e-10);  // 1/2 m v0^2
}

TEST(Coulomb, BlockStopsTheOtherWayToo) {
  const Simulation run = simulated_text(block("5", "", "-3", 3));
  EXPECT_NEAR(run.last("x"), -1.8, rest);
}

// A force below the friction does not move it at all.
TEST(Coulomb, StictionHolds) {
  const Simulation run = simulated_text(block("5", "4.99*sin(3*t)", "0", 3));
  for (double x : run.column("x")) ASSERT_NEAR(x, 0, rest);
  EXPECT_TRUE(run.outcome.events.empty());
}

// The force 2 t breaks away where it reaches ratio times 5 N, and from then on m x'' = 2 t - 5.
void expect_breakaway(const std::string& friction, double ratio) {
  const Simulation run = simulated_text(block(friction, "2*t", "0", 5));
  ASSERT_EQ(run.outcome.events.size(), 1u);
  EXPECT_NEAR(run.outcome.events[0].t, 2.5 * ratio, 1e-9);
  EXPECT_NE(run.outcome.events[0].what.find("slips"), std::string::npos) << run.outcome.events[0].what;
  const double t = 5 - 2.5 * ratio;  // since then
  EXPECT_NEAR(run.last("x'"), (5 * ratio - 5) / 2 * t + t * t / 2, 1e-8);
  EXPECT_NEAR(run.last("x"), (5 * ratio - 5) / 4 * t * t + t * t * t / 6, 1e-8);
}

TEST(Coulomb, BreaksAway) { expect_breakaway("5", 1); }
TEST(Coulomb, BreaksAwayLaterWithStiction) { expect_breakaway("{coulomb: 5, breakaway: 1.4}", 1.4); }

// A spring pulls 0.5 m away: swings of one side only, each shorter by 2 F/k, until the spring cannot overcome friction.
TEST(Coulomb, SpringStopsInsideTheDeadZone) {
  const Simulation run = simulated_text(R"(
gravity: [0, 0, 0]
bodies: {block: {mass: 2}}
joints: {x: {type: prismatic, axis: x, between: [ground, block], friction: 3, spring: {stiffness: 50}}}
start: {keep: {x: 0.5}}
simulate: {end: 4, record: 0.01, rtol: 1e-11}
)");
  // turning points 0.5, -0.38, 0.26, -0.14, 0.02; there 50 * 0.02 < 3: it stays. Each half swing takes pi/5 s.
  EXPECT_NEAR(run.last("x"), 0.02, 1e-9);
  EXPECT_NEAR(run.last("x'"), 0, rest);
  EXPECT_NEAR(run.outcome.events.back().t, 4 * M_PI / 5, 1e-8);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-9);
}

// On an incline of which friction holds the weight; then the friction of a formula of t lets go.
TEST(Coulomb, FrictionMayBeAFormula) {
  const Simulation run = simulated_text(R"(
gravity: [0, -10, 0]
bodies: {block: {mass: 2}}
joints: {y: {type: prismatic, axis: y, between: [ground, block], friction: 30 - 5*t}}
simulate: {end: 3, record: 0.01, rtol: 1e-10}
)");
  // 30 - 5 t = 20 at t = 2; then y'' = -10 + (30 - 5 t)/2 = -5/2 (t - 2)
  ASSERT_EQ(run.outcome.events.size(), 1u);
  EXPECT_NEAR(run.outcome.events[0].t, 2, 1e-9);
  EXPECT_NEAR(run.last("y"), -2.5 / 6, 1e-8);
}

}  // namespace
}  // namespace armature::internal
