#include "step/comparison.hpp"

#include <gtest/gtest.h>

namespace armature::step {
namespace {

TEST(Comparison, KindsDifferAtZeroOnly) {
  for (const double root : {-2.5, 2.5}) {
    EXPECT_EQ(outcome_of(ComparisonKind::at_least, root), root > 0);
    EXPECT_EQ(outcome_of(ComparisonKind::above, root), root > 0);
  }
  EXPECT_EQ(outcome_of(ComparisonKind::at_least, 0), 1);
  EXPECT_EQ(outcome_of(ComparisonKind::above, 0), 0);
  EXPECT_EQ(outcome_of(ComparisonKind::floor, 2.5), 2);
  EXPECT_EQ(outcome_of(ComparisonKind::floor, -2.5), -3);
}

TEST(Comparison, AFloorIsAlwaysAbove) {
  EXPECT_EQ(status_of(ComparisonKind::above, 1), ComparisonStatus::above);
  EXPECT_EQ(status_of(ComparisonKind::above, 0), ComparisonStatus::below);
  EXPECT_EQ(status_of(ComparisonKind::floor, -7), ComparisonStatus::above);
}

}  // namespace
}  // namespace armature::step
