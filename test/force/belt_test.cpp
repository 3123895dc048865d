// A belt on wheels of 0.2 m and 0.3 m: s = 0.2 a - 0.3 b; each strand has 1000 N/m and 5 N s/m.
#include <gtest/gtest.h>

#include <cmath>

#include "force/two_bodies.hpp"

namespace armature::internal {
namespace {

const std::string bare_belt = "type: belt, between: [a, b], radii: [0.2, 0.3], stiffness: 1000, damping: 5";
constexpr double belt_round_off = 1e-11;

// s = 0.014, s' = 0.8: both strands together pull with 2 (14 + 4) N.
TEST(Belt, IsASpringOfBothStrands) {
  const Moment now = wheels(bare_belt, 0.1, 0.02, 1, -2);
  EXPECT_NEAR(now["f.force"], 36, belt_round_off);
  EXPECT_NEAR(now["a''"], -0.2 * 36 / 0.5, belt_round_off);
  EXPECT_NEAR(now["b''"], 0.3 * 36 / 2, belt_round_off);
  EXPECT_NEAR(now["energy.elastic"], 1000 * 0.014 * 0.014, belt_round_off);
  EXPECT_NEAR(now["heat.viscous'"], 2 * 5 * 0.8 * 0.8, belt_round_off);
}

// One radius is negative: s = 0.026, s' = -0.4, and both wheels turn back the same way.
TEST(Belt, MayBeCrossed) {
  const Moment now =
      wheels("type: belt, between: [a, b], radii: [0.2, -0.3], stiffness: 1000, damping: 5", 0.1, 0.02, 1, -2);
  EXPECT_NEAR(now["f.force"], 48, belt_round_off);
  EXPECT_NEAR(now["a''"], -0.2 * 48 / 0.5, belt_round_off);
  EXPECT_NEAR(now["b''"], -0.3 * 48 / 2, belt_round_off);
}

TEST(Belt, HasTheSameForceWithPretensionWhileBothStrandsPull) {
  const Moment now = wheels(bare_belt + ", pretension: 40", 0.1, 0.02, 1, -2);
  EXPECT_NEAR(now["f.tension1"], 40 + 14 + 4, belt_round_off);
  EXPECT_NEAR(now["f.tension2"], 40 - 14 - 4, belt_round_off);
  EXPECT_NEAR(now["f.force"], 36, belt_round_off);
  EXPECT_NEAR(now["a''"], -0.2 * 36 / 0.5, belt_round_off);
  EXPECT_NEAR(now["b''"], 0.3 * 36 / 2, belt_round_off);
  EXPECT_NEAR(now["energy.elastic"], 500 * (0.054 * 0.054 + 0.026 * 0.026), belt_round_off);
}

// A strand that would be shorter than relaxed pulls nothing and loses nothing: s = 0.06 and s = -0.06, s' = 0.2.
TEST(Belt, HasASlackStrandOnEitherSide) {
  const Moment first = wheels(bare_belt + ", pretension: 40", 0.3, 0, 1, 0),
               second = wheels(bare_belt + ", pretension: 40", -0.3, 0, 1, 0);
  EXPECT_NEAR(first["f.tension1"], 40 + 60 + 1, belt_round_off);
  EXPECT_EQ(first["f.tension2"], 0);
  EXPECT_EQ(second["f.tension1"], 0);
  EXPECT_NEAR(second["f.tension2"], 40 + 60 - 1, belt_round_off);
  EXPECT_NEAR(second["a''"], 0.2 * 99 / 0.5, belt_round_off);
  EXPECT_NEAR(second["energy.elastic"], 500 * 0.1 * 0.1, belt_round_off);
  EXPECT_NEAR(second["heat.viscous'"], 5 * 0.2 * 0.2, belt_round_off);
}

// s = -0.038, s' = -2: the first strand is still 2 mm longer than relaxed, but its damper would push.
TEST(Belt, NeverPushes) {
  const Moment now = wheels(bare_belt + ", pretension: 40", -0.19, 0, -10, 0);
  EXPECT_EQ(now["f.tension1"], 0);
  EXPECT_NEAR(now["f.tension2"], 40 + 38 + 10, belt_round_off);
}

TEST(Belt, RefusesRadiiThatNoBeltHas) {
  const auto with = [](const std::string& radii) {
    return refusal(wheels, "type: belt, between: [a, b], stiffness: 1000, radii: " + radii);
  };
  EXPECT_EQ(with("[0.2, 0.3]"), "");
  EXPECT_EQ(with("[-0.2, 0.3]"), "");
  EXPECT_EQ(with("[0, 0.3]"), "forces.f: a wheel has a radius other than zero");
  EXPECT_EQ(with("[0.2, 0]"), "forces.f: a wheel has a radius other than zero");
  EXPECT_EQ(with("[-0.2, -0.3]"), "forces.f: one radius may be negative, for a crossed belt, not both");
}

}  // namespace
}  // namespace armature::internal
