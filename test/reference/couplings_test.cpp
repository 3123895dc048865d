// Gears, racks and prescribed motion: accelerations and efforts against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

TEST(Gear, ReflectsInertia) {
  const Simulation run = simulated_text(R"(
gravity: [0, 0, 0]
bodies: {w1: {mass: 1, inertia: {zz: 0.2}}, w2: {mass: 1, inertia: {zz: 1.8}}}
joints:
  a: {type: revolute, axis: z, between: [ground, w1]}
  b: {type: revolute, axis: z, between: [ground, w2]}
constraints: {mesh: {type: gear, between: [a, b], ratio: -3}}
forces: {motor: {type: effort, on: a, is: 0.8}}
start: {keep: {a: 0}, near: {b: 0.1}}
simulate: {end: 2, record: 0.5}
)");
  // b = -a/3: inertia on a 0.2 + 1.8/9 = 0.4, acceleration 2 rad/s^2
  for (int row = 0; row <= 4; ++row) {
    const double t = run.at(row, "t");
    EXPECT_NEAR(run.at(row, "a"), t * t, 1e-10);
    EXPECT_NEAR(run.at(row, "b"), -t * t / 3, 1e-10);
  }
}

TEST(Rack, TurnsSlidingIntoTurning) {
  const Simulation run = simulated_text(R"(
gravity: [-9.81, 0, 0]
bodies: {pinion: {mass: 1, inertia: {zz: 0.02}}, bar: {mass: 3}}
joints:
  turn: {type: revolute, axis: z, between: [ground, pinion]}
  slide: {type: prismatic, axis: x, between: [ground, bar]}
constraints: {mesh: {type: rack, between: [turn, slide], radius: 0.1, offset: 0.25}}
start: {keep: {turn: 0}}
simulate: {end: 1, record: 0.25}
)");
  // (m + I/r^2) x'' = -m g with m = 3, I/r^2 = 2
  for (int row = 0; row <= 4; ++row) {
    const double t = run.at(row, "t"), x = -3 * 9.81 / 5 * t * t / 2;
    EXPECT_NEAR(run.at(row, "slide"), 0.25 + x, 1e-10);
    EXPECT_NEAR(run.at(row, "turn"), 10 * x, 1e-9);
  }
}

// A pendulum driven by the formula s(t): effort I s'' + m g l cos s, as a torque in the sense of the joint.
TEST(Prescribed, EffortOfADrivenPendulum) {
  const Simulation run = simulated_text(R"(
gravity: [0, -9.81, 0]
bodies: {bar: {mass: 2, center: [0.5, 0, 0], inertia: {zz: 0.3}}}
joints: {swing: {type: revolute, axis: z, between: [ground, bar]}}
constraints: {drive: {type: prescribed, zero: swing - (0.4 + 0.7*sin(2*t))}}
simulate: {end: 5, record: 0.25, rtol: 1e-10}
)");
  for (int row = 0; row <= 20; ++row) {
    const double t = run.at(row, "t"), s = 0.4 + 0.7 * std::sin(2 * t);
    EXPECT_NEAR(run.at(row, "swing"), s, 1e-12);
    EXPECT_NEAR(run.at(row, "drive"), -(0.3 + 2 * 0.25) * 2.8 * std::sin(2 * t) + 2 * 9.81 * 0.5 * std::cos(s), 1e-10);
  }
}

// Both joints of a two-link arm driven: efforts M a + h with the textbook matrices of the planar 2R arm.
// Four rotors by one list: its parts are named by number.
TEST(Prescribed, AListOfManyPartsMovesAsManyCoordinates) {
  const Simulation run = simulated_text(R"(
gravity: [0, 0, 0]
bodies: {w1: {mass: 1, inertia: {zz: 1}}, w2: {mass: 1, inertia: {zz: 2}}, w3: {mass: 1, inertia: {zz: 3}}, w4: {mass: 1, inertia: {zz: 4}}}
joints:
  a: {type: revolute, axis: z, between: [ground, w1]}
  b: {type: revolute, axis: z, between: [ground, w2]}
  c: {type: revolute, axis: z, between: [ground, w3]}
  d: {type: revolute, axis: z, between: [ground, w4]}
constraints: {drive: {type: prescribed, zero: [a - t^2, b - t^2, c - t^2, d - t^2]}}
simulate: {end: 1, record: 0.5}
)");
  EXPECT_NEAR(run.last("d"), 1, 1e-10);
  EXPECT_NEAR(run.last("drive.1"), 2, 1e-8);  // 1 kg m^2 times 2 rad/s^2
  EXPECT_NEAR(run.last("drive.4"), 8, 1e-8);
}

TEST(Prescribed, EffortsOfATwoLinkArm) {
  const Simulation run = simulated_text(R"(
gravity: [0, -9.81, 0]
bodies:
  upper: {mass: 3, center: [0.25, 0, 0], inertia: {zz: 0.08}}
  lower: {mass: 2, center: [0.2, 0, 0], inertia: {zz: 0.03}}
joints:
  q1: {type: revolute, axis: z, between: [ground, upper]}
  q2: {type: revolute, axis: z, between: ["upper [0.5, 0, 0]", lower]}
constraints:
  first: {type: prescribed, zero: q1 - sin(3*t)}
  second: {type: prescribed, zero: q2 - cos(2*t)}
simulate: {end: 3, record: 0.25, rtol: 1e-10}
)");
  const double l1 = 0.5, c1 = 0.25, c2 = 0.2, m1 = 3, m2 = 2, I1 = 0.08, I2 = 0.03, g = 9.81;
  for (int row = 0; row <= 12; ++row) {
    const double t = run.at(row, "t"), q1 = std::sin(3 * t), q2 = std::cos(2 * t);
    const double v1 = 3 * std::cos(3 * t), v2 = -2 * std::sin(2 * t), a1 = -9 * q1, a2 = -4 * q2;
    const double coupling = m2 * l1 * c2 * std::cos(q2), bend = m2 * l1 * c2 * std::sin(q2);
    const double M22 = I2 + m2 * c2 * c2, M12 = M22 + coupling, M11 = I1 + m1 * c1 * c1 + m2 * l1 * l1 + M12 + coupling;
    const double weight2 = m2 * g * c2 * std::cos(q1 + q2), weight1 = (m1 * c1 + m2 * l1) * g * std::cos(q1) + weight2;
    EXPECT_NEAR(run.at(row, "first"), M11 * a1 + M12 * a2 - bend * (2 * v1 * v2 + v2 * v2) + weight1, 1e-8);
    EXPECT_NEAR(run.at(row, "second"), M12 * a1 + M22 * a2 + bend * v1 * v1 + weight2, 1e-8);
  }
}

}  // namespace
}  // namespace armature::internal
