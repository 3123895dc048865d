#include <gtest/gtest.h>

#include "force/two_bodies.hpp"

namespace armature::internal {
namespace {

// -k (x - rest) - c x' on either side of the place where it is relaxed.
TEST(TorsionSpring, PullsTowardsItsRest) {
  const std::string spring = "type: torsion_spring, on: a, stiffness: 8, damping: 0.5, rest: 0.2";
  const Moment above = wheels(spring, 0.7, 0, 3, 0), below = wheels(spring, -0.1, 0, -3, 0);
  EXPECT_NEAR(above["a''"], (-8 * 0.5 - 1.5) / 0.5, 1e-13);
  EXPECT_NEAR(below["a''"], (8 * 0.3 + 1.5) / 0.5, 1e-13);
  EXPECT_NEAR(below["b''"], 0, 1e-13);
  EXPECT_NEAR(above["energy.elastic"], 4 * 0.25, 1e-13);
  EXPECT_NEAR(above["heat.viscous'"], 0.5 * 9, 1e-13);
}

TEST(TorsionSpring, ActsOnALengthToo) {
  EXPECT_NEAR(slides("type: torsion_spring, on: a, stiffness: 8 N/m", 0.5, 0, 0, 0)["a''"], -2, 1e-13);
  EXPECT_NE(refusal(wheels, "type: torsion_spring, on: a, stiffness: 8 N/m"), "");
}

}  // namespace
}  // namespace armature::internal
