// A bushing's displacements are those in the axes of its first body, and its angles those of a chain of three joints.
#include <gtest/gtest.h>

#include <cmath>

#include "support/moment.hpp"

namespace armature::internal {
namespace {

constexpr double bushing_degree = M_PI / 180;

// The frame is turned by 90 degrees and turns with 3 rad/s; the plate of 2 kg and 0.5 kg m^2 is at (0.3, 0.1), which in the frame's axes
// is d = (0.1, -0.3), and moves with (1, 2), which there is d' = (2 - 0.9, -1 - 0.3).
TEST(Bushing, ActsInTheAxesOfItsFirstBody) {
  const Moment now = moment_of(R"(
gravity: [0, 0, 0]
plane: xy
bodies: {frame: {mass: 1, inertia: {zz: 1}}, plate: {mass: 2, inertia: {zz: 0.5}}}
joints: {a: {type: revolute, between: [ground, frame]}, p: {type: planar, between: [ground, plate]}}
forces:
  f: {type: bushing, between: [frame, plate], stiffness: [100, 200, 300], damping: [10, 20, 30],
      turning_stiffness: [1, 2, 5], turning_damping: [1, 2, 0.5]}
start: {keep: {a: 90 deg, p.x: 0.3, p.y: 0.1, p.angle: 100 deg}, speed: {a: 3, p.x: 1, p.y: 2, p.angle: 4}}
)");
  const double fx = -100 * 0.1 - 10 * 1.1, fy = 200 * 0.3 + 20 * 1.3, tz = -5 * 10 * bushing_degree - 0.5;
  EXPECT_NEAR(now["f.fx"], fx, 1e-12);
  EXPECT_NEAR(now["f.fy"], fy, 1e-12);
  EXPECT_NEAR(now["f.tz"], tz, 1e-12);
  EXPECT_FALSE(now.has("f.fz"));  // nothing moves there
  EXPECT_NEAR(now["p.x''"], -fy / 2, 1e-12);
  EXPECT_NEAR(now["p.y''"], fx / 2, 1e-12);
  EXPECT_NEAR(now["p.angle''"], tz / 0.5, 1e-12);
  EXPECT_NEAR(now["energy.elastic"], 50 * 0.01 + 100 * 0.09 + 2.5 * std::pow(10 * bushing_degree, 2), 1e-12);
  EXPECT_NEAR(now["heat.viscous'"], 10 * 1.1 * 1.1 + 20 * 1.3 * 1.3 + 0.5, 1e-12);
}

// R_x(0.3) R_y(-0.8) R_z(2): each angle is that of a joint, and each torque acts on its joint.
TEST(Bushing, TurnsByTheAnglesOfAChainOfThreeJoints) {
  const Moment now = moment_of(R"(
gravity: [0, 0, 0]
bodies:
  outer: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  middle: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  inner: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  x: {type: revolute, axis: x, between: [ground, outer]}
  y: {type: revolute, axis: y, between: [outer, middle]}
  z: {type: revolute, axis: z, between: [middle, inner]}
forces: {f: {type: bushing, between: [ground, inner], turning_stiffness: [3, 4, 5], turning_damping: [0.3, 0.4, 0.5]}}
start: {keep: {x: 0.3, y: -0.8, z: 2}, speed: {x: 1, y: 2, z: -3}}
)");
  EXPECT_NEAR(now["f.tx"], -3 * 0.3 - 0.3, 1e-12);
  EXPECT_NEAR(now["f.ty"], 4 * 0.8 - 0.8, 1e-12);
  EXPECT_NEAR(now["f.tz"], -5 * 2 + 1.5, 1e-12);
  EXPECT_NEAR(now["energy.elastic"], 1.5 * 0.09 + 2 * 0.64 + 2.5 * 4, 1e-12);
  EXPECT_NEAR(now["heat.viscous'"], 0.3 + 1.6 + 4.5, 1e-12);
}

}  // namespace
}  // namespace armature::internal
