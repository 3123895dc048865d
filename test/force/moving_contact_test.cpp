// A rope from the ground to a block at x = 0.6 m that a winch at the ground shortens with time.
#include <gtest/gtest.h>

#include "force/two_bodies.hpp"

namespace armature::internal {
namespace {

// Elongation 0.1 m, its rate a' + 0.3 m/s: 20 + 5 * 0.8 N. The winch works with 0.3 m/s of it.
TEST(MovingPush, IsPaidByWhatMovesItWithTime) {
  const Moment now =
      slides("type: rope, through: [ground, first], stiffness: 200, damping: 5, length: 0.5 - 0.3*t", 0.6, 0, 0.5, 0);
  EXPECT_NEAR(now["f.tension"], 24, 1e-12);
  EXPECT_NEAR(now["a''"], -12, 1e-12);
  EXPECT_NEAR(now["work.applied'"], 24 * 0.3, 1e-12);
  EXPECT_NEAR(now["heat.viscous'"], 5 * 0.8 * 0.8, 1e-12);
}

TEST(MovingPush, DependsOnPositionsAndTimeOnly) {
  EXPECT_EQ(refusal(slides, "type: rope, through: [ground, first], stiffness: 200, length: 0.5 - 1 s*b'"),
            "forces.f: depends on a velocity; it may depend on positions and t");
}

}  // namespace
}  // namespace armature::internal
