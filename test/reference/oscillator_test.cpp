// Springs and dampers against the linear oscillator  m x'' + c x' + k x = 0.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

constexpr double tolerance = 1e-10;  // rtol 1e-12 over a few hundred steps

TEST(Oscillator, SpringOfAJoint) {
  const Simulation run = simulated_text(R"(
gravity: [0, 0, 0]
bodies: {block: {mass: 2}}
joints: {x: {type: prismatic, axis: x, between: [ground, block], spring: {stiffness: 50, rest: 0.3}}}
start: {keep: {x: 0.4}}
simulate: {end: 10, record: 0.1, rtol: 1e-12}
)");
  const auto t = run.column("t"), x = run.column("x"), v = run.column("x'");
  for (std::size_t i = 0; i < t.size(); ++i) {
    ASSERT_NEAR(x[i], 0.3 + 0.1 * std::cos(5 * t[i]), tolerance);
    ASSERT_NEAR(v[i], -0.5 * std::sin(5 * t[i]), 5 * tolerance);
  }
  EXPECT_NEAR(run.last("energy.kinetic") + run.last("energy.potential"), 0.25, tolerance);  // 1/2 50 0.1^2
}

TEST(Oscillator, SpringAndDamperBetweenPoints) {
  const Simulation run = simulated_text(R"(
gravity: [0, 0, 0]
bodies: {block: {mass: 2}}
points: {wall: [-1, 0, 0]}
joints: {x: {type: prismatic, axis: x, between: [ground, block]}}
forces: {s: {type: spring, between: [wall, block], stiffness: 50, damping: 4, length: 1}}
start: {keep: {x: 0.1}}
simulate: {end: 5, record: 0.05, rtol: 1e-12}
)");
  // m x'' + 4 x' + 50 x = 0: decay 1 1/s, frequency sqrt(24) rad/s
  const double w = std::sqrt(24.0);
  const auto t = run.column("t"), x = run.column("x");
  for (std::size_t i = 0; i < t.size(); ++i)
    ASSERT_NEAR(x[i], 0.1 * std::exp(-t[i]) * (std::cos(w * t[i]) + std::sin(w * t[i]) / w), tolerance);
  EXPECT_LT(run.outcome.statistics.energy_error, tolerance);  // what the damper takes is counted
  EXPECT_NEAR(run.last("heat.viscous"), 0.25 - run.last("energy.kinetic") - run.last("energy.potential"), tolerance);
}

// Overdamped: two exponentials.
TEST(Oscillator, TorsionSpringOnACoordinate) {
  const Simulation run = simulated_text(R"(
gravity: [0, 0, 0]
bodies: {wheel: {mass: 1, inertia: {xx: 1, yy: 1, zz: 0.5}}}
joints: {turn: {type: revolute, axis: z, between: [ground, wheel]}}
forces: {s: {type: torsion_spring, on: turn, stiffness: 1, damping: 1.5, rest: 0}}
start: {keep: {turn: 1}}
simulate: {end: 10, record: 0.1, rtol: 1e-12}
)");
  // 0.5 x'' + 1.5 x' + x = 0: roots -1 and -2
  const auto t = run.column("t"), x = run.column("turn");
  for (std::size_t i = 0; i < t.size(); ++i) ASSERT_NEAR(x[i], 2 * std::exp(-t[i]) - std::exp(-2 * t[i]), tolerance);
}

// Two free masses on a spring: the reduced mass oscillates, the center of mass moves on.
TEST(Oscillator, TwoFreeMasses) {
  const Simulation run = simulated_text(R"(
gravity: [0, 0, 0]
bodies: {a: {mass: 1}, b: {mass: 3}}
joints:
  xa: {type: prismatic, axis: x, between: [ground, a]}
  xb: {type: prismatic, axis: x, between: [ground, b]}
forces: {s: {type: spring, between: [a, b], stiffness: 12, length: 1}}
start: {keep: {xa: 0, xb: 1.2}, speed: {xa: 0.4}}
simulate: {end: 5, record: 0.05, rtol: 1e-12}
)");
  // stretch s = xb - xa - 1: s'' = -12 (1 + 1/3) s = -16 s, s(0) = 0.2, s'(0) = -0.4
  for (double t : {1.0, 2.5, 5.0}) {
    const int row = static_cast<int>(std::lround(t / 0.05));
    const double xa = run.at(row, "xa"), xb = run.at(row, "xb");
    EXPECT_NEAR(xb - xa - 1, 0.2 * std::cos(4 * t) - 0.1 * std::sin(4 * t), tolerance);
    EXPECT_NEAR(xa + 3 * xb, 3.6 + 0.4 * t, tolerance);
  }
}

}  // namespace
}  // namespace armature::internal
