// Forces and torques on a plate of 2 kg and 0.5 kg m^2 in the plane, turned by 90 degrees.
#include <gtest/gtest.h>

#include "force/two_bodies.hpp"

namespace armature::internal {
namespace {

Moment pushed_plate(const std::string& forces) {
  return moment_of(
      "gravity: [0, 0, 0]\nplane: xy\nbodies: {plate: {mass: 2, inertia: {zz: 0.5}, points: {rim: [0.2, 0.1, 0]}}}\n"
      "joints: {p: {type: planar, between: [ground, plate]}}\nforces: {f: {" +
      forces + "}}\nstart: {keep: {p.x: 0.3, p.y: 0.4, p.angle: 90 deg}, speed: {p.x: 1, p.y: 2, p.angle: 3}}\n");
}
constexpr double plate_round_off = 1e-13;

// The rim is at (-0.1, 0.2) from the center, in the ground's axes; it moves with (1 - 0.6, 2 - 0.3).
TEST(BodyForce, ActsOnItsPlaceAlongTheGroundsAxes) {
  const Moment now = pushed_plate("type: force, on: plate.rim, is: [3, 5, 0]");
  EXPECT_NEAR(now["p.x''"], 3 / 2.0, plate_round_off);
  EXPECT_NEAR(now["p.y''"], 5 / 2.0, plate_round_off);
  EXPECT_NEAR(now["p.angle''"], (-0.1 * 5 - 0.2 * 3) / 0.5, plate_round_off);
  EXPECT_NEAR(now["work.applied'"], 3 * 0.4 + 5 * 1.7, plate_round_off);
}

TEST(BodyForce, ActsAlongTheBodysAxes) {
  const Moment now = pushed_plate("type: force, on: plate.rim, is: [3, 5, 0], frame: body");
  EXPECT_NEAR(now["p.x''"], -5 / 2.0, plate_round_off);
  EXPECT_NEAR(now["p.y''"], 3 / 2.0, plate_round_off);
  EXPECT_NEAR(now["p.angle''"], (0.2 * 5 - 0.1 * 3) / 0.5, plate_round_off);
  EXPECT_NEAR(now["work.applied'"], -5 * 0.4 + 3 * 1.7, plate_round_off);
}

TEST(BodyForce, ATorqueTurnsWithoutPushing) {
  const Moment now = pushed_plate("type: torque, on: plate.rim, is: [0, 0, 4]");
  EXPECT_NEAR(now["p.x''"], 0, plate_round_off);
  EXPECT_NEAR(now["p.angle''"], 4 / 0.5, plate_round_off);
  EXPECT_NEAR(now["work.applied'"], 4 * 3, plate_round_off);
}

// A wheel whose axis x is turned to the ground's y.
TEST(BodyForce, ATorqueMayBeGivenInTheBodysAxes) {
  const auto turning = [](const std::string& torque) {
    return moment_of(
        "gravity: [0, 0, 0]\nbodies: {arm: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}, wheel: {mass: 1, inertia: {xx: "
        "0.5, yy: 1, zz: 1}}}\n"
        "joints: {a: {type: revolute, axis: z, between: [ground, arm]}, b: {type: revolute, axis: x, between: [arm, "
        "wheel]}}\n"
        "forces: {f: {type: torque, on: wheel, " +
        torque + "}}\nstart: {keep: {a: 90 deg}}\n")["b''"];
  };
  EXPECT_NEAR(turning("is: [0, 5, 0]"), 10, plate_round_off);
  EXPECT_NEAR(turning("is: [5, 0, 0]"), 0, plate_round_off);
  EXPECT_NEAR(turning("is: [0, 5, 0], frame: body"), 0, plate_round_off);
  EXPECT_NEAR(turning("is: [5, 0, 0], frame: body"), 10, plate_round_off);
}

TEST(BodyForce, RefusesTheGround) {
  EXPECT_EQ(refusal(slides, "type: force, on: ground, is: [1, 0, 0]"),
            "forces.f.on: is on the ground, which does not move; name a place on a body");
}

}  // namespace
}  // namespace armature::internal
