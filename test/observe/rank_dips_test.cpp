// The smallest rank that a run reports is that of the poses between its steps, too.
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

int smallest_rank(Model model, double end) {
  model.simulate.end = end;
  return simulated(model).outcome.statistics.smallest_rank;
}

// N windows of equal bars lie flat at about 0.71 s and lose N of their 2N rows there (problem A02).
TEST(RankDips, AreSeenBetweenSteps) {
  for (const int N : {1, 2, 3}) {
    EXPECT_EQ(smallest_rank(shipped("n_four_bar", {{"N", std::to_string(N)}}), 0.6), 2 * N);
    EXPECT_EQ(smallest_rank(shipped("n_four_bar", {{"N", std::to_string(N)}}), 0.8), N);
  }
}

// The slider-crank with equal links passes 90 degrees at 0.265310 s.
TEST(RankDips, OfTheEqualSliderCrank) {
  EXPECT_EQ(smallest_rank(shipped("slider_crank_equal"), 0.25), 2);
  EXPECT_EQ(smallest_rank(shipped("slider_crank_equal"), 0.3), 1);
}

// Singularities of a partition are no rank drops.
TEST(RankDips, NoneOfThe3RRR) { EXPECT_EQ(smallest_rank(shipped("rrr_motors"), 3), 4); }

}  // namespace
}  // namespace armature::internal
