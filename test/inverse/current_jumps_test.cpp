#include "inverse/current_jumps.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace armature::internal {
namespace {

using Current = std::function<double(double)>;

// Rows every 0.1 s over 1 s of one current, with its rate by the formula.
Findings jumps_of(const Current& current, const Current& rate) {
  CurrentJumps jumps({"m"});
  for (int row = 0; row <= 10; ++row) {
    const double t = 0.1 * row, before = 0.1 * (row - 1);
    jumps.add_row(t, Eigen::VectorXd::Constant(1, current(t)), Eigen::VectorXd::Constant(1, rate(t)),
                  [&](double s, Eigen::VectorXd& at) {
                    at.setConstant(1, current(before + s * (t - before)));
                    return true;
                  });
  }
  return jumps.findings();
}

TEST(CurrentJumps, AreNoneOfASmoothCurrent) {
  EXPECT_TRUE(jumps_of([](double t) { return std::sin(5 * t); }, [](double t) { return 5 * std::cos(5 * t); }).empty());
  // steep, but without a jump
  EXPECT_TRUE(jumps_of([](double t) { return std::tanh(1e4 * (t - 0.53)); }, [](double) { return 0.0; }).empty());
}

// 3 A at 0.53 s, up or down, seen through a current that changes by itself.
TEST(CurrentJumps, AreFoundWhereTheyAre) {
  for (const double way : {1.0, -1.0}) {
    const Findings found =
        jumps_of([&](double t) { return 2 * t + (t > 0.53 ? 3 * way : 0); }, [](double) { return 2.0; });
    ASSERT_EQ(found.size(), 1u);
    EXPECT_THAT(found[0].sentence, testing::AllOf(testing::HasSubstr("3"), testing::HasSubstr("0.53")));
  }
}

TEST(CurrentJumps, AreCountedAndTheLargestNamed) {
  const Findings found =
      jumps_of([](double t) { return (t > 0.25 ? 1.0 : 0.0) + (t > 0.75 ? -5.0 : 0.0); }, [](double) { return 0.0; });
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].sentence,
              testing::AllOf(testing::HasSubstr("0.75"), testing::HasSubstr("the largest of 2 jumps")));
}

// 1e-7 A beside 1 A is round-off; without any larger current it is seen against 1 mA.
TEST(CurrentJumps, AreMeasuredByTheLargestCurrent) {
  const auto small = [](double t) { return t > 0.53 ? 1e-7 : 0.0; };
  EXPECT_EQ(jumps_of(small, [](double) { return 0.0; }).size(), 1u);
  EXPECT_TRUE(jumps_of([&](double t) { return 1 + small(t); }, [](double) { return 0.0; }).empty());
}

}  // namespace
}  // namespace armature::internal
