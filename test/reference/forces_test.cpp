// Forces by formula and by table, and gravity that changes with time, against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

// A linear table of t: force t on [0, 1], then 1 falling to 0 at 3, held at 0 after. v = integral / m.
// The kinks are events, and between them the method is exact: only round-off is left.
TEST(TableForce, PiecewiseLinear) {
  const Simulation run = simulated_text(R"(
gravity: [0, 0, 0]
tables: {pulse: {x: [0, 1, 3], y: [0, 1, 0]}}
bodies: {block: {mass: 0.5}}
joints: {x: {type: prismatic, axis: x, between: [ground, block]}}
forces: {push: {type: effort, on: x, is: pulse(t)}}
simulate: {end: 4, record: 0.5, rtol: 1e-11}
)");
  for (int row = 0; row <= 8; ++row) {
    const double t = run.at(row, "t"), rest = std::max(0.0, 3 - t);
    const double impulse = t <= 1 ? t * t / 2 : 0.5 + 1 - rest * rest / 4;
    EXPECT_NEAR(run.at(row, "x'"), impulse / 0.5, 1e-12) << t;
  }
}

// Free fall while gravity swings: y'' = -10 - 4 sin 2t.
TEST(Gravity, ByFormulaOfTime) {
  const Simulation run = simulated_text(R"(
gravity: [0, -10 - 4*sin(2*t), 0]
bodies: {stone: {mass: 3}}
joints: {y: {type: prismatic, axis: y, between: [ground, stone]}}
simulate: {end: 3, record: 0.5, rtol: 1e-12}
)");
  for (int row = 0; row <= 6; ++row) {
    const double t = run.at(row, "t");
    EXPECT_NEAR(run.at(row, "y"), -5 * t * t + std::sin(2 * t) - 2 * t, 1e-10);
  }
}

// A force along the body's axes turns with it; one along the ground's does not. The disk turns evenly.
TEST(BodyForce, AlongBodyOrGroundAxes) {
  const Simulation run = simulated_text(R"(
gravity: [0, 0, 0]
bodies: {disk: {mass: 2, inertia: {zz: 1}}}
joints: {p: {type: planar, axis: z, between: [ground, disk]}}
forces:
  thrust: {type: force, on: disk, is: [4, 0, 0], frame: body}
  wind: {type: force, on: disk, is: [0, 1, 0]}
start: {speed: {p.angle: 2}}
simulate: {end: 3, record: 0.5, rtol: 1e-12}
)");
  for (int row = 0; row <= 6; ++row) {
    const double t = run.at(row, "t");  // m x'' = 4 cos 2t, m y'' = 4 sin 2t + 1
    EXPECT_NEAR(run.at(row, "p.x"), 0.5 - 0.5 * std::cos(2 * t), 1e-10);
    EXPECT_NEAR(run.at(row, "p.y"), t - 0.5 * std::sin(2 * t) + t * t / 4, 1e-10);
  }
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-10);
}

// A torque about an axis through the center, and a force beside it, turn a wheel: I w' = N + r F.
TEST(BodyForce, TorqueAndLeverArm) {
  const Simulation run = simulated_text(R"(
gravity: [0, 0, 0]
bodies: {wheel: {mass: 2, inertia: {zz: 0.5}, points: {rim: [0.2, 0, 0]}}}
joints: {turn: {type: revolute, axis: z, between: [ground, wheel]}}
forces:
  motor: {type: torque, on: wheel, is: [0, 0, 1]}
  jet: {type: force, on: wheel.rim, is: [7, 5, 0], frame: body}
simulate: {end: 2, record: 0.5}
)");
  for (int row = 0; row <= 4; ++row) EXPECT_NEAR(run.at(row, "turn"), std::pow(run.at(row, "t"), 2) * 2, 1e-9);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-9);
}

// A force that depends on where a point is and how it moves: a planar harmonic pull with drag, both closed in x and y.
TEST(BodyForce, FormulaOfPointsAndVelocities) {
  const Simulation run = simulated_text(R"(
gravity: [0, 0, 0]
bodies: {mote: {mass: 1, inertia: {zz: 1}, points: {c: [0, 0, 0]}}}
joints: {p: {type: planar, axis: z, between: [ground, mote]}}
forces: {pull: {type: force, on: mote.c, is: [-5*mote.c.x - 2*mote.c.x', -5*mote.c.y - 2*mote.c.y', 0]}}
start: {keep: {p.x: 1, p.y: 0}, speed: {p.y: 2}}
simulate: {end: 3, record: 0.5, rtol: 1e-12}
)");
  for (int row = 0; row <= 6; ++row) {
    const double t = run.at(row, "t"), decay = std::exp(-t);
    EXPECT_NEAR(run.at(row, "p.x"), decay * (std::cos(2 * t) + 0.5 * std::sin(2 * t)), 1e-10);
    EXPECT_NEAR(run.at(row, "p.y"), decay * std::sin(2 * t), 1e-10);
  }
}

}  // namespace
}  // namespace armature::internal
