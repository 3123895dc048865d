// A spring of 100 and a damper of 4 on s = a - 2 b - 0.05, with and without free play.
#include <gtest/gtest.h>

#include "force/two_bodies.hpp"

namespace armature::internal {
namespace {

const std::string tied = "type: coordinate_spring, between: [a, b], ratio: 2, stiffness: 100, damping: 4, rest: 0.05";

// s = 0.25, s' = -1.
TEST(CoordinateSpring, PullsOnBothCoordinates) {
  const Moment now = slides(tied, 0.7, 0.2, 1, 1);
  EXPECT_NEAR(now["f.force"], -25 + 4, 1e-13);
  EXPECT_NEAR(now["a''"], -21 / 2.0, 1e-13);
  EXPECT_NEAR(now["b''"], 2 * 21 / 3.0, 1e-13);
  EXPECT_NEAR(now["energy.elastic"], 50 * 0.25 * 0.25, 1e-13);
  EXPECT_NEAR(now["heat.viscous'"], 4, 1e-13);
}

// Free play of 0.1: flanks meet at s = 0.05 and s = -0.05.
TEST(CoordinateSpring, LeavesItsPlayFree) {
  const std::string play = tied + ", backlash: 0.1";
  const Moment above = slides(play, 0.7, 0.2, 1, 1), below = slides(play, -0.3, 0, 1, 0.2),
               inside = slides(play, 0.09, 0, 1, 0);
  EXPECT_NEAR(above["f.force"], -(100 * 0.2 - 4), 1e-13);
  EXPECT_NEAR(below["f.force"], 100 * 0.3 - 4 * 0.6, 1e-13);
  EXPECT_NEAR(below["a''"], (30 - 2.4) / 2, 1e-13);
  EXPECT_NEAR(below["energy.elastic"], 50 * 0.3 * 0.3, 1e-13);
  EXPECT_EQ(inside["f.force"], 0);
  EXPECT_EQ(inside["energy.elastic"], 0);
}

// 1 mm beyond the play, and leaving it fast: the damper would pull the flanks together.
TEST(CoordinateSpring, NeverPullsItsFlanksTogether) {
  EXPECT_EQ(slides(tied + ", backlash: 0.1", 0.101, 0, -1, 0)["f.force"], 0);
  EXPECT_EQ(slides(tied + ", backlash: 0.1", -0.001, 0, 1, 0)["f.force"], 0);
}

}  // namespace
}  // namespace armature::internal
