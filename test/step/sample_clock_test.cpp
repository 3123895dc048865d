#include "step/sample_clock.hpp"

#include <gtest/gtest.h>

namespace armature::step {
namespace {

TEST(SampleClock, BeginsAtTheStartOrAfterIt) {
  EXPECT_EQ(SampleClock::from(0.1, 0, 0).count, 0);
  EXPECT_EQ(SampleClock::from(0.1, 0, 0.25).count, 3);
  EXPECT_EQ(SampleClock::from(0.1, 0, 0.2).count, 2);
  EXPECT_EQ(SampleClock::from(0.1, 0, 0.2 + 1e-11).count, 2);  // one time but for round-off
  EXPECT_EQ(SampleClock::from(0.1, 0.05, 0.2).count, 2);       // ticks at 0.05, 0.15, 0.25
  EXPECT_EQ(SampleClock::from(0.1, 0.5, 0).count, 0);
}

TEST(SampleClock, TicksAtMultiplesOfItsPeriodBehindItsOffset) {
  SampleClock clock = SampleClock::from(0.1, 0.03, 0);
  for (int k = 0; k < 1000; ++k, clock.tick()) {
    EXPECT_DOUBLE_EQ(clock.time(), 0.03 + 0.1 * k);
    EXPECT_TRUE(clock.due(clock.time()));
    EXPECT_TRUE(clock.due(clock.time() - 1e-11));
    EXPECT_FALSE(clock.due(clock.time() - 1e-9));
  }
}

TEST(SampleClock, GoesPastEveryTickThatIsDue) {
  SampleClock clock = SampleClock::from(0.1, 0, 0);
  clock.tick_beyond(0.55);
  EXPECT_EQ(clock.count, 6);
  clock.tick_beyond(0.6);
  EXPECT_EQ(clock.count, 7);
  clock.tick_beyond(0.1);  // never back
  EXPECT_EQ(clock.count, 7);
}

}  // namespace
}  // namespace armature::step
