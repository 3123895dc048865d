// A rope over an eye at (0, 0.4, 0): from the block at (a, 0, 0) up to it and down to the block at (b, 0, 0).
#include <gtest/gtest.h>

#include <cmath>

#include "force/two_bodies.hpp"

namespace armature::internal {
namespace {

std::string rope_of(const std::string& length) {
  return "type: rope, through: [first, \"ground [0, 0.4, 0]\", second], stiffness: 200, damping: 5, length: " + length;
}

// Lines of 0.5 m (0.3 over, 0.4 up) on both sides, at which the blocks pull with 3/5 of their speeds: L = 1, L' = 0.6 (1 + 2).
TEST(Rope, PullsAlongItsLinesWithOneTension) {
  const Moment now = slides(rope_of("0.9"), 0.3, -0.3, 1, -2);
  const double tension = 200 * 0.1 + 5 * 1.8;
  EXPECT_NEAR(now["f.tension"], tension, 1e-12);
  EXPECT_NEAR(now["a''"], -0.6 * tension / 2, 1e-12);
  EXPECT_NEAR(now["b''"], 0.6 * tension / 3, 1e-12);
  EXPECT_NEAR(now["energy.elastic"], 100 * 0.01, 1e-12);
  EXPECT_NEAR(now["heat.viscous'"], 5 * 1.8 * 1.8, 1e-12);
}

TEST(Rope, IsSlackBelowItsLengthAndNeverPushes) {
  EXPECT_EQ(slides(rope_of("1.1"), 0.3, -0.3, 1, -2)["f.tension"], 0);
  EXPECT_EQ(slides(rope_of("0.99"), 0.3, -0.3, -1, 2)["f.tension"], 0);  // 2 N less 9 N
}

// Wound up by b: the drum feels the tension by its radius, here 0.1 m per metre.
TEST(Rope, IsWoundUpByACoordinate) {
  const Moment now =
      slides("type: rope, through: [ground, first], stiffness: 200, length: 0.5 - 0.1*b", 0.6, 0.2, 0, 0);
  EXPECT_NEAR(now["f.tension"], 200 * 0.12, 1e-12);
  EXPECT_NEAR(now["b''"], -0.1 * 24 / 3, 1e-12);
}

TEST(Rope, NeedsTwoPlacesOrMore) {
  EXPECT_EQ(refusal(slides, "type: rope, through: [first], stiffness: 1, length: 1"),
            "forces.f.through: expected a list of two or more places");
  EXPECT_EQ(refusal(slides, "type: rope, through: [ground, first, first], stiffness: 1, length: 1"),
            "forces.f.through: 'first' appears twice in a row; a rope needs a length between its places");
}

}  // namespace
}  // namespace armature::internal
