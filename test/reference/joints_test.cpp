// Joints by closed forms: what each lets move and what it passes on.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

constexpr double polynomial_tolerance = 1e-10;  // polynomials of t: exact for the integrator but for round-off

TEST(Prismatic, BlockOnAnIncline) {
  // a = -g sin(30 deg) + 3/1.5 along the axis
  const Simulation run = simulated_text(R"(
gravity: [0, -9.81, 0]
bodies: {block: {mass: 1.5}}
joints: {x: {type: prismatic, axis: [cos(30 deg), sin(30 deg), 0], between: [ground, block]}}
forces: {push: {type: effort, on: x, is: 3}}
start: {keep: {x: 0.2}, speed: {x: 1}}
simulate: {end: 2, record: 0.5}
)");
  const double a = -9.81 / 2 + 2;
  for (int row = 0; row <= 4; ++row) {
    const double t = run.at(row, "t");
    EXPECT_NEAR(run.at(row, "x"), 0.2 + t + a * t * t / 2, polynomial_tolerance);
    EXPECT_NEAR(run.at(row, "x'"), 1 + a * t, polynomial_tolerance);
  }
}

TEST(Cylindrical, TurnAndSlideAreIndependent) {
  const Simulation run = simulated_text(R"(
gravity: [0, 0, -9.81]
bodies: {sleeve: {mass: 2, inertia: {xx: 1, yy: 1, zz: 0.5}, points: {rim: [0.1, 0, 0]}}}
joints: {c: {type: cylindrical, axis: z, between: [ground, sleeve]}}
forces:
  twist: {type: effort, on: c.angle, is: 0.4}
  lift: {type: effort, on: c.slide, is: 25}
start: {speed: {c.angle: 0.1, c.slide: -1}}
simulate: {end: 2, record: 0.5}
)");
  for (int row = 0; row <= 4; ++row) {
    const double t = run.at(row, "t"), angle = 0.1 * t + 0.4 * t * t, slide = -t + (12.5 - 9.81) * t * t / 2;
    EXPECT_NEAR(run.at(row, "c.angle"), angle, polynomial_tolerance);
    EXPECT_NEAR(run.at(row, "c.slide"), slide, polynomial_tolerance);
    EXPECT_NEAR(run.at(row, "sleeve.rim.x"), 0.1 * std::cos(angle), polynomial_tolerance);
    EXPECT_NEAR(run.at(row, "sleeve.rim.z"), slide, polynomial_tolerance);
  }
}

TEST(Planar, ProjectileKeepsItsSpin) {
  const Simulation run = simulated_text(R"(
gravity: [0, -9.81, 0]
bodies: {disk: {mass: 2, inertia: {zz: 0.5}}}
joints: {p: {type: planar, axis: z, between: [ground, disk]}}
start: {speed: {p.x: 3, p.y: 4, p.angle: 2}}
simulate: {end: 2, record: 0.5}
)");
  const double scale = std::hypot(run.at(1, "p.x"), run.at(1, "p.y"));
  ASSERT_GT(scale, 1);
  for (int row = 0; row <= 4; ++row) {
    const double t = run.at(row, "t");
    EXPECT_NEAR(run.at(row, "p.x"), 3 * t, polynomial_tolerance);
    EXPECT_NEAR(run.at(row, "p.y"), 4 * t - 9.81 * t * t / 2, polynomial_tolerance);
    EXPECT_NEAR(run.at(row, "p.angle"), 2 * t, polynomial_tolerance);
  }
}

// Two shafts at the angle beta, joined by a universal joint: tan(second) = cos(beta) tan(first). The joint closes the loop.
TEST(Universal, CardanShaft) {
  const Simulation run = simulated_text(R"(
gravity: [0, 0, 0]
parameters: {beta: 30 deg}
bodies:
  input: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  output: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  first: {type: revolute, axis: x, between: [ground, input]}
  second: {type: revolute, axis: [cos(beta), sin(beta), 0], between: [ground, output]}
  cardan: {type: universal, axes: [z, [-sin(beta), cos(beta), 0]], between: [input, output], cut: true}
constraints: {drive: {type: prescribed, zero: first - t}}
start: {keep: {first: 0}, near: {second: 0}}
simulate: {end: 10, record: 0.25, rtol: 1e-11}
)");
  const double c = std::cos(M_PI / 6);
  for (int row = 0; row <= 40; ++row) {
    const double t = run.at(row, "t");
    EXPECT_NEAR(run.at(row, "first"), t, 1e-9);
    EXPECT_NEAR(std::remainder(run.at(row, "second") - std::atan2(c * std::sin(t), std::cos(t)), 2 * M_PI), 0, 1e-9);
    // rate of the output over that of the input: cos(beta) / (1 - sin^2(beta) sin^2(first))
    EXPECT_NEAR(run.at(row, "second'"), c / (1 - 0.25 * std::pow(std::sin(t), 2)), 1e-9);
  }
}

// The same joint twice in a row cancels its unevenness when the forks are set right: the output turns evenly.
TEST(Universal, DoubleCardanShaftTurnsEvenly) {
  const Simulation run = simulated_text(R"(
gravity: [0, 0, 0]
parameters: {beta: 30 deg}
bodies:
  input: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  middle: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  output: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
points: {Q: [cos(beta), sin(beta), 0]}
joints:
  first: {type: revolute, axis: x, between: [ground, input]}
  shaft: {type: revolute, axis: [cos(beta), sin(beta), 0], between: [ground, middle]}
  third: {type: revolute, axis: x, between: [Q, output]}
  near_cross: {type: universal, axes: [z, [-sin(beta), cos(beta), 0]], between: [input, middle], cut: true}
  far_cross: {type: universal, axes: [[-sin(beta), cos(beta), 0], z], between: ["middle [cos(beta), sin(beta), 0]", output], cut: true}
constraints: {drive: {type: prescribed, zero: first - t}}
start: {keep: {first: 0}, near: {shaft: 0, third: 0}}
simulate: {end: 5, record: 0.25, rtol: 1e-10}
)");
  for (int row = 0; row <= 20; ++row) EXPECT_NEAR(run.at(row, "third'"), 1, 1e-8);
}

// A fixed joint passes on weight and moment: a cantilever of weight m g with its center at r:  F = -m g, N = -r x m g.
TEST(Fixed, CarriesWeightAndMoment) {
  const Simulation run = simulated_text(R"(
gravity: [0, 0, -9.81]
bodies:
  cart: {mass: 4}
  arm: {mass: 2, center: [0.5, 0.2, 0], inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  x: {type: prismatic, axis: x, between: [ground, cart]}
  weld: {type: fixed, between: ["cart [0.1, 0, 0]", arm]}
forces: {push: {type: effort, on: x, is: 12}}
simulate: {end: 1, record: 1}
record: {reactions: [weld]}
)");
  // the whole accelerates with 2 m/s^2 along x
  EXPECT_NEAR(run.last("x"), 1, polynomial_tolerance);
  EXPECT_NEAR(run.last("weld.fx"), 4, polynomial_tolerance);
  EXPECT_NEAR(run.last("weld.fy"), 0, polynomial_tolerance);
  EXPECT_NEAR(run.last("weld.fz"), 2 * 9.81, polynomial_tolerance);
  // about the joint: r x m (a - g), r = (0.5, 0.2, 0), m (a - g) = (4, 0, 19.62)
  EXPECT_NEAR(run.last("weld.mx"), 0.2 * 19.62, polynomial_tolerance);
  EXPECT_NEAR(run.last("weld.my"), -0.5 * 19.62, polynomial_tolerance);
  EXPECT_NEAR(run.last("weld.mz"), -0.2 * 4, polynomial_tolerance);
}

// Joints that close a loop, each in a place where it must not change the motion: a ball on a helix-free path. A second
// joint of the same kind beside the first is redundant and leaves the acceleration what it was.
class DoubledJoint : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Types, DoubledJoint, testing::Values("revolute", "prismatic", "cylindrical", "planar"),
                         [](const auto& info) { return info.param; });

TEST_P(DoubledJoint, MovesAsTheSingleOne) {
  const std::string start =
      "gravity: [1, -2, -9.81]\nbodies: {b: {mass: 2, center: [0.3, 0.1, 0.2], inertia: {xx: 1, yy: 2, zz: 1.5}, "
      "points: {p: [1, 1, 1]}}}\n";
  const std::string first = "j: {type: " + GetParam() + ", axis: z, between: [ground, b]}";
  const std::string second = "k: {type: " + GetParam() + ", axis: z, between: [ground, b], cut: true}";
  const std::string options = "simulate: {end: 1, record: 0.25, rtol: 1e-11}\n";
  const Simulation single = simulated_text(start + "joints: {" + first + "}\n" + options);
  const Simulation doubled = simulated_text(start + "joints: {" + first + ", " + second + "}\n" + options);
  for (int row = 0; row <= 4; ++row)
    for (const char* name : {"b.p.x", "b.p.y", "b.p.z"}) EXPECT_NEAR(doubled.at(row, name), single.at(row, name), 1e-9);
}

}  // namespace
}  // namespace armature::internal
