// Where tables turn, and how far that is.
#include "expression/turning_points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace armature::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(TurningPoints, AreThePeaksAndValleysOfALinearTable) {
  EXPECT_THAT(turning_points(Table::linear({0, 1, 2, 3, 4}, {0, 2, 1, 1, 5})), ElementsAre(1, 2));
  EXPECT_THAT(turning_points(Table::linear({0, 1, 2, 3}, {3, 2, 2, -1})), IsEmpty());
  EXPECT_THAT(turning_points(Table::linear({0, 1}, {4, 4})), IsEmpty());
}

TEST(TurningPoints, OfAPulseAreItsFirstTop) {
  EXPECT_THAT(turning_points(Table::linear({0, 5, 5.1, 5.2, 5.3, 9}, {0, 0, 1, 1, 0, 0})), ElementsAre(5.1));
  EXPECT_THAT(turning_points(Table::linear({0, 1, 2, 3, 4, 5}, {0, 1, 0, 0, 1, 0})), ElementsAre(1, 2, 4));
}

TEST(TurningPoints, LieBetweenTheKnotsOfASpline) {
  std::vector<double> x, y;
  for (int i = 0; i <= 40; ++i) x.push_back(0.25 * i), y.push_back(std::sin(x.back()));
  const std::vector<double> found = turning_points(Table::spline(x, y));
  ASSERT_EQ(found.size(), 3u);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[static_cast<std::size_t>(k)], (k + 0.5) * std::numbers::pi, 1e-3);
}

TEST(TurningPoints, IgnoreWhatIsLessThanRoundOffOfAMeasurement) {
  EXPECT_THAT(turning_points(Table::linear({0, 1, 2, 3}, {0, 1e-8, 0, 1})), IsEmpty());
}

// A hump counts from a millionth of the range on (docs/thresholds.md).
TEST(TurningPoints, CountAHumpBeyondAMillionthOfTheRange) {
  EXPECT_THAT(turning_points(Table::linear({0, 1, 2, 3}, {0, 0.9e-6, 0, 1})), IsEmpty());
  EXPECT_THAT(turning_points(Table::linear({0, 1, 2, 3}, {0, 1.1e-6, 0, 1})), ElementsAre(1, 2));
}

TEST(TurningPoints, OfATableThatRepeatsAreThoseOfOnePeriod) {
  Table saw = Table::linear({0, 1, 4}, {0, 3, 0});
  saw.hold = false, saw.repeat = true;
  EXPECT_THAT(turning_points(saw), ElementsAre(1, 4));
}

double next(const Table& table, double x) { return x + table.evaluate(x, 0); }

TEST(DistanceToNext, LeadsFromPointToPoint) {
  const Table table = distance_to_next({1, 2.5, 4}, {});
  EXPECT_DOUBLE_EQ(next(table, -7), 1);
  EXPECT_DOUBLE_EQ(next(table, 0.99), 1);
  EXPECT_DOUBLE_EQ(next(table, 1), 2.5);
  EXPECT_DOUBLE_EQ(next(table, 1 - 1e-12), 2.5);  // as good as there
  EXPECT_DOUBLE_EQ(next(table, 3), 4);
  EXPECT_GT(next(table, 4), 1e299);
  EXPECT_GT(next(table, 1e6), 1e299);
}

TEST(DistanceToNext, GoesOnInTheNextPeriod) {
  const Table table = distance_to_next({1, 3}, {.repeats = true, .first = 0, .period = 4});
  EXPECT_DOUBLE_EQ(next(table, 0.5), 1);
  EXPECT_DOUBLE_EQ(next(table, 3), 5);
  EXPECT_DOUBLE_EQ(next(table, 3.9), 5);
  EXPECT_DOUBLE_EQ(next(table, 41.5), 43);
  EXPECT_DOUBLE_EQ(next(table, -3.5), -3);
}

}  // namespace
}  // namespace armature::internal
