#include "inverse/desired_jumps.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "inverse/inverted.hpp"

namespace armature::internal {
namespace {

std::optional<DesiredJump> jump_of(const std::string& motion, bool speeds = true) {
  const Model model =
      read_model_text("armature: 1\n" + wanted_disc("inverse: {motion: {turn: '" + motion +
                                                    "'}, actuators: [turn]}\nsimulate: {end: 1, record: 0.1}\n"));
  Prepared start = compile_inverse(model);
  assemble_start(start);
  return jump_of_desired_motion(start, rows_of_motion(start.system->equations()), speeds);
}

TEST(DesiredJumps, AreNoneOfASmoothMotion) {
  EXPECT_FALSE(jump_of("sin(20*t)"));
  EXPECT_FALSE(jump_of("if(t > 0.53, (t - 0.53)^2, 0)"));  // only its acceleration jumps
}

TEST(DesiredJumps, OfPositionsAreLocated) {
  for (const char* size : {"0.2", "-0.2"}) {
    const auto jump = jump_of(std::string("t + if(t > 0.53, ") + size + ", 0)");
    ASSERT_TRUE(jump);
    EXPECT_FALSE(jump->speed);
    EXPECT_NEAR(jump->t, 0.53, 1e-12);
    EXPECT_NEAR(jump->size, 0.2, 1e-12);
    EXPECT_EQ(jump->name, "motion of turn");
  }
}

TEST(DesiredJumps, OfSpeedsAreLocatedIfTheyAreLookedAt) {
  const auto jump = jump_of("abs(t - 0.53)");
  ASSERT_TRUE(jump);
  EXPECT_TRUE(jump->speed);
  EXPECT_NEAR(jump->t, 0.53, 1e-12);
  EXPECT_NEAR(jump->size, 2, 1e-12);
  EXPECT_FALSE(jump_of("abs(t - 0.53)", false));
}

TEST(DesiredJumps, EndWhereAMotionHasNoValue) {
  const auto jump = jump_of("sqrt(0.53 - t)", false);
  ASSERT_TRUE(jump);
  EXPECT_NEAR(jump->t, 0.53, 1e-9);
  EXPECT_TRUE(std::isnan(jump->size));
}

TEST(DesiredJumps, MayBeInRowsWithComparisonsOfTime) {
  const auto may = [](const std::string& zero) -> bool {
    return rows_that_may_jump(
               prepared_text(wanted_disc("constraints: {hold: {type: prescribed, zero: \"" + zero + "\"}}\n"))
                   .system->equations())
        .at(0);
  };
  EXPECT_FALSE(may("turn - t"));
  EXPECT_TRUE(may("turn - if(t > 0.5, t - 0.5, 0)"));
  EXPECT_TRUE(may("turn - atan2(sin(t), 1 + cos(t))"));
  EXPECT_FALSE(may("turn - atan2(sin(turn)/2, 2)"));
}

}  // namespace
}  // namespace armature::internal
