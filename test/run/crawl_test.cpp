#include "run/crawl.hpp"

#include <gtest/gtest.h>

namespace armature::internal {
namespace {

// 1e-3 s a step for so many steps, towards an end.
int warnings_of(double end, long steps) {
  Crawl crawl(0);
  int warnings = 0;
  for (long k = 1; k <= steps; ++k) warnings += crawl.look(1e-3 * static_cast<double>(k), k, end);
  return warnings;
}

TEST(Crawl, IsKnownOnceWhenMoreStepsAreToComeThanAnybodyWaitsFor) {
  EXPECT_EQ(warnings_of(2e5, 50000), 1);  // 2e8 steps
  EXPECT_EQ(warnings_of(2e5, 9999), 0);   // too early to tell
  EXPECT_EQ(warnings_of(5e4, 50000), 0);  // 5e7 steps
}

// Nobody can stop a run before its pause.
TEST(Crawl, IsToldOfAPauseMuchEarlier) {
  Crawl run(0), piece(0);
  EXPECT_FALSE(run.look(10, 10000, 2010));         // 2e6 steps of 1 ms
  EXPECT_TRUE(piece.look(10, 10000, 2010, true));  // the same
  EXPECT_EQ(piece.end(), 2010);
  EXPECT_FALSE(Crawl(0).look(10, 10000, 910, true));
}

TEST(Crawl, IsToldByTheStepsOfLate) {
  Crawl crawl(0);
  EXPECT_FALSE(crawl.look(10, 10000, 20));
  EXPECT_TRUE(crawl.look(10 + 1e-6, 20000, 20));
  EXPECT_NEAR(crawl.step(), 1e-10, 1e-13);
  EXPECT_NEAR(crawl.remaining(), 1e11, 1e8);
}

}  // namespace
}  // namespace armature::internal
