#include "inspect/divergence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace armature::internal {
namespace {

std::optional<GrowthToDivergence> divergence(const std::function<double(double t)>& difference) {
  std::vector<double> t, differences;
  for (int k = 0; k <= 1000; ++k) t.push_back(0.02 * k), differences.push_back(difference(t.back()));
  return find_divergence(t, differences);
}

TEST(Divergence, IsExponentialWithItsRate) {
  const auto found = divergence([](double t) { return std::min(1.0, 1e-8 * std::exp(2 * t)); });
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->t, std::log(1e6) / 2, 0.03);  // two rows
  EXPECT_NEAR(found->rate, 2, 0.02);
}

// Differences swing while they grow.
TEST(Divergence, IsExponentialWhereDifferencesSwing) {
  const auto found = divergence([](double t) { return 1e-8 * std::exp(t) * std::abs(std::sin(7 * t)); });
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->rate, 1, 0.1);
}

TEST(Divergence, IsNoneWhereErrorsAddUp) {
  EXPECT_FALSE(divergence([](double t) { return 1e-8 * t * t; }));
}

// A coarse run drifts away as a power of time, and that is no chaos.
TEST(Divergence, IsNotExponentialWhereErrorsAddUpToMuch) {
  const auto found = divergence([](double t) { return 1e-5 * t * t * t; });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rate, 0);
}

TEST(Divergence, IsNotExponentialWhereRunsPartAtOnce) {
  const auto found = divergence([](double t) { return t < 5 ? 1e-9 : 0.3; });
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->t, 5, 0.03);
  EXPECT_EQ(found->rate, 0);
}

// As one of the runs meets a barrier that the other one steps over: chaos would have grown so long before.
TEST(Divergence, IsNotExponentialWhereItGrowsTooFastForItsTime) {
  const auto found = divergence([](double t) { return std::max(1e-9, 1e-9 * std::exp(10 * (t - 14))); });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rate, 0);
}

TEST(Divergence, TakesWhatIsNotANumberForParted) {
  EXPECT_TRUE(divergence([](double t) { return t < 5 ? 1e-9 : std::nan(""); }));
}

}  // namespace
}  // namespace armature::internal
