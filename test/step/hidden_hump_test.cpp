// Steps that hide a hump of a table.
#include "step/hidden_hump.hpp"

#include <gtest/gtest.h>

namespace armature::step {
namespace {

// A triangle of height 1 at 17 +- 0.01 over x(t), behind a table that stands still.
template <class Argument>
double end_of(Argument x, double t0, double t1, bool again = false) {
  double numbers[2 * Lookup::numbers] = {0.5, 0.5, 0, 1};  // x of the first goes on
  const auto look = [&](double t) {
    const double off = (x(t) - 17) / 0.01, rise = clamped(1 + off, 0.0, 1.0), fall = clamped(off, 0.0, 1.0);
    numbers[4] = rise - fall, numbers[5] = rise + fall, numbers[6] = x(t);
    return numbers;
  };
  double begin[2 * Lookup::numbers];
  for (int i = 0; i < 2 * Lookup::numbers; ++i) begin[i] = look(t0)[i];
  return end_before_hump(2 * Lookup::numbers, begin, t0, t1, again, look);
}

double line(double t) { return t; }
double bow(double t) { return 6 * t - t * t / 2; }                 // up to 18 at t = 6
double swing(double t) { return 16 + 2 * t * (t - 1) * (t - 2); }  // up to 16.77 at t = 0.42, down to 15.23

TEST(HiddenHump, HalvesAStepThatHasPassedOne) {
  EXPECT_EQ(end_of(line, 16, 18), 17);
  EXPECT_EQ(end_of(line, 16, 20), 18);
  EXPECT_EQ(end_of(line, 16, 17), infinity);
  EXPECT_EQ(end_of(line, 17, 18), infinity);
  EXPECT_EQ(end_of(line, 18, 30), infinity);
}

TEST(HiddenHump, EndsAStepWhereTheArgumentTurns) {
  EXPECT_NEAR(end_of(bow, 1, 11), 6, 1e-3);
  EXPECT_NEAR(end_of(bow, 1, 8), 6, 1e-3);
  EXPECT_NEAR(end_of(bow, 4, 12), 6, 1e-3);  // its middle is below the hump
  EXPECT_EQ(end_of(bow, 8, 12), infinity);
}

TEST(HiddenHump, IsNoneWhereTheArgumentTurnsBeforeIt) {
  EXPECT_EQ(end_of(swing, 0, 2), infinity);
  EXPECT_EQ(end_of([](double) { return 16; }, 0, 2), infinity);
}

TEST(HiddenHump, LiesInEitherHalfOfAStep) {
  EXPECT_NEAR(end_of([](double t) { return swing(t) + 0.6; }, 0, 2), 0.4226, 1e-3);  // 1 - 1/sqrt(3)
  EXPECT_NEAR(end_of([](double t) { return 32.6 - swing(t); }, 0.5, 2), 1.5774, 1e-3);
}

TEST(HiddenHump, IsNotLookedForInsideWhereTheArgumentGoesOn) {
  int looks = 0;
  const auto look = [&](double t) {
    static double numbers[Lookup::numbers];
    numbers[0] = 0, numbers[1] = 0, numbers[2] = line(t), numbers[3] = 1;
    ++looks;
    return numbers;
  };
  const double begin[] = {0, 0, 2, 1};
  EXPECT_EQ(end_before_hump(Lookup::numbers, begin, 2, 3, false, look), infinity);
  EXPECT_EQ(looks, 1);
}

TEST(HiddenHump, HalvesAStepThatIsTakenAgain) { EXPECT_EQ(end_of(bow, 4, 12, true), 8); }

TEST(HiddenHump, HalvesAStepAsFarAsTimeAllows) {
  const auto fast = [](double t) { return 17 + (t - 1 - 2 * epsilon) / epsilon; };
  EXPECT_EQ(end_of(fast, 1, 1 + 4 * epsilon), infinity);
}

TEST(HiddenHump, MayBeATenthOfTheWay) {
  EXPECT_FALSE(is_hidden(1.04, 0.96));
  EXPECT_TRUE(is_hidden(1.06, 0.94));
  EXPECT_FALSE(is_hidden(1.9e-4, 0));  // less than 1e-4 of the range
  EXPECT_TRUE(is_hidden(2.1e-4, 0));
}

}  // namespace
}  // namespace armature::step
