// End stops against the closed form of a mass on a unilateral spring and damper.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

std::string bouncing(double damping) {
  return "gravity: [0, 0, 0]\nbodies: {block: {mass: 2}}\n"
         "joints: {x: {type: prismatic, axis: x, between: [ground, block], limits: {upper: 1, stiffness: 5000, "
         "damping: " +
         std::to_string(damping) + "}}}\nstart: {speed: {x: 4}}\nsimulate: {end: 0.5, record: 0.01, rtol: 1e-11}\n";
}

// Reaches the stop at 0.25 s, is pressed for pi sqrt(m/k), leaves as fast as it came.
TEST(EndStop, ElasticBounce) {
  const Simulation run = simulated_text(bouncing(0));
  const double contact = M_PI * std::sqrt(2.0 / 5000);
  EXPECT_NEAR(run.last("x'"), -4, 1e-8);
  EXPECT_NEAR(run.last("x"), 1 - 4 * (0.25 - contact), 1e-8);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-8);
  ASSERT_FALSE(run.outcome.events.empty());
  EXPECT_NEAR(run.outcome.events.front().t, 0.25, 1e-11);
}

// With damping the contact ends when the force k x + c x' is zero, after the phase pi - 2 asin(zeta), zeta = c/(2 sqrt(k m));
// the speed is then smaller by exp(-zeta w t).
TEST(EndStop, DampedBounce) {
  const Simulation run = simulated_text(bouncing(60));
  const double w = std::sqrt(5000.0 / 2), zeta = 60 / (2 * std::sqrt(5000.0 * 2)), root = std::sqrt(1 - zeta * zeta);
  const double contact = (M_PI - std::atan2(2 * zeta * root, 1 - 2 * zeta * zeta)) / (w * root);
  EXPECT_NEAR(run.last("x'"), -4 * std::exp(-zeta * w * contact), 1e-8);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-8);
  EXPECT_NEAR(run.last("heat.viscous"), 16 - run.last("energy.kinetic") - run.last("energy.potential"), 1e-8);
}

// Between two stops under gravity it ends at rest on the lower one, pressed by its weight.
TEST(EndStop, RestsOnTheLowerStop) {
  const Simulation run = simulated_text(R"(
gravity: [0, -9.81, 0]
bodies: {block: {mass: 2}}
joints: {y: {type: prismatic, axis: y, between: [ground, block], limits: {lower: -0.5, upper: 0.1, stiffness: 2000, damping: 40}}}
start: {speed: {y: 3}}
simulate: {end: 10, record: 0.1, rtol: 1e-9}
)");
  EXPECT_NEAR(run.last("y"), -0.5 - 2 * 9.81 / 2000, 1e-7);
  EXPECT_NEAR(run.last("y'"), 0, 1e-6);
}

}  // namespace
}  // namespace armature::internal
