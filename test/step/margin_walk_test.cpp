#include "step/margin_walk.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace armature::step {
namespace {

TEST(MarginWalk, FindsTheFirstZeroOfAStep) {
  for (const double zero : {0.02, 0.37, 0.99}) {
    MarginWalk walk;
    const auto margin = [&](double t) { return zero - t; };
    const EventTime found = walk.find(0, 1, 1, {}, margin);
    ASSERT_TRUE(found.found) << zero;
    EXPECT_NEAR(found.t, zero, 1e-15);
    EXPECT_LE(margin(found.t), 0);  // just behind it
  }
}

// Below zero from 0.4 to 0.45 only: both ends and the middle of the step know nothing of it.
TEST(MarginWalk, SeesADipInsideAStep) {
  MarginWalk walk;
  const EventTime found = walk.find(0, 1, 1, {}, [](double t) { return (t - 0.4) * (t - 0.45); });
  ASSERT_TRUE(found.found);
  EXPECT_NEAR(found.t, 0.4, 1e-12);
}

TEST(MarginWalk, FindsNothingWhereThereIsNothingUpToTheEnd) {
  MarginWalk walk;
  EXPECT_FALSE(walk.find(0, 1, 1, {}, [](double t) { return 2 + std::sin(9 * t); }).found);
  EXPECT_FALSE(MarginWalk().find(0, 1, 0.3, {}, [](double t) { return 0.37 - t; }).found);
}

// Three ends 0.01 apart, far from zero: a short step passes. Near zero, or after an unknown end, it does not.
TEST(MarginWalk, LetsShortStepsPassFarFromZero) {
  MarginWalk walk;
  walk.pace = 1;
  walk.before = {true, 5}, walk.last = {true, 5.01};
  EXPECT_TRUE(walk.passes(0, 0.1, 5.02));
  EXPECT_EQ(walk.last.value, 5.02);
  EXPECT_EQ(walk.before.value, 5.01);
  EXPECT_FALSE(walk.passes(0, 0.6, 5.03));  // longer than half of the pace
  walk.before = {true, 5}, walk.last = {true, 3};
  EXPECT_FALSE(walk.passes(0, 0.01, 1));
  walk.forget();
  EXPECT_FALSE(walk.passes(0, 0.01, 5));
}

}  // namespace
}  // namespace armature::step
