// A spring of 50 N/m and a damper of 4 N s/m between two blocks that slide along x.
#include <gtest/gtest.h>

#include <cmath>

#include "force/two_bodies.hpp"

namespace armature::internal {
namespace {

const std::string coil = "type: spring, between: [first, second], stiffness: 50, damping: 4";

// 0.8 m apart on either side of each other, 0.3 m longer than relaxed, and shorter by 1 m/s: 15 - 4 N.
TEST(Spring, PullsBothEndsTogether) {
  const Moment right = slides(coil + ", length: 0.5", 0.1, 0.9, 1, 0),
               left = slides(coil + ", length: 0.5", 0.9, 0.1, -1, 0);
  EXPECT_NEAR(right["a''"], 11 / 2.0, 1e-13);
  EXPECT_NEAR(right["b''"], -11 / 3.0, 1e-13);
  EXPECT_NEAR(left["a''"], -11 / 2.0, 1e-13);
  EXPECT_NEAR(right["energy.elastic"], 25 * 0.09, 1e-13);
  EXPECT_NEAR(right["heat.viscous'"], 4, 1e-13);
}

TEST(Spring, PushesWhereItIsShorterThanRelaxed) {
  EXPECT_NEAR(slides(coil + ", length: 0.5", 0, 0.2, 0, 0)["a''"], -15 / 2.0, 1e-13);
}

// Relaxed at no length it acts along x and y by itself: also where its ends meet, and its damper across the line.
TEST(Spring, WithoutALengthActsAlongEachAxis) {
  const Moment now = moment_of(
      "gravity: [0, 0, 0]\nplane: xy\nbodies: {plate: {mass: 2, inertia: {zz: 1}}}\n"
      "joints: {p: {type: planar, between: [ground, plate]}}\n"
      "forces: {f: {type: spring, between: [ground, plate], stiffness: 50, damping: 4}}\n"
      "start: {keep: {p.x: 0, p.y: 0.3, p.angle: 0}, speed: {p.x: 1, p.y: 0.5, p.angle: 0}}\n");
  EXPECT_NEAR(now["p.x''"], -4 / 2.0, 1e-13);
  EXPECT_NEAR(now["p.y''"], -(15 + 2) / 2.0, 1e-13);
  EXPECT_NEAR(now["heat.viscous'"], 4 * 1.25, 1e-13);
  EXPECT_NEAR(slides(coil, 0.2, 0.2, 1, 0)["a''"], -2, 1e-13);
}

}  // namespace
}  // namespace armature::internal
