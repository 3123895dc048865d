#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "step/enclosure.hpp"
#include "step/friction_oscillator.hpp"
#include "step/sample_clock.hpp"

namespace armature::step {
namespace {

TEST(StepEvents, AFrictionOscillatorTurnsAndSticksWhereItShould) {
  const OscillatorEnd end = run_friction_oscillator(20);
  EXPECT_TRUE(end.sticks);
  EXPECT_EQ(end.changes, 2);
  EXPECT_NEAR(end.turned, std::numbers::pi, 1e-9);
  EXPECT_NEAR(end.stuck, 2 * std::numbers::pi, 1e-8);
  EXPECT_NEAR(end.place, -0.2, 1e-9);
}

// Ranges of functions that are known exactly.
struct Parabola {
  struct Range {
    double low, high;
  };
  struct Enclosure {
    double middle;
    Range value, rate;
  };
  void find(double from, double to) {
    const double a = from - 0.5, b = to - 0.5;
    const double least = a <= 0 && b >= 0 ? 0 : std::min(a * a, b * b);
    function = {at(0.5 * (from + to)), {least - bottom, std::max(a * a, b * b) - bottom}, {2 * a, 2 * b}};
    ++looks;
  }
  double unit() const { return 1; }
  const Enclosure& operator[](int) const { return function; }
  double at(double t) const { return (t - 0.5) * (t - 0.5) - bottom; }
  double bottom;
  Enclosure function{};
  int looks = 0;
};

TEST(ZeroCrossings, FindsTheFirstOfTwoZerosThatAreClose) {
  Parabola parabola{1e-12};
  ZeroCrossings<Parabola> crossings(parabola);
  Guard guard{0, 1, 0};
  ASSERT_EQ(crossings.keep_open(true, 0, 1, &guard, 1), 1);
  const StepPart part = crossings.first(0, 1, &guard, 1, [&](double t) { return parabola.at(t) < 0; });
  ASSERT_TRUE(part.found);
  EXPECT_LE(part.from, 0.5 - 1e-6);
  EXPECT_GT(part.to, 0.5 - 1e-6);
  EXPECT_LT(part.to, 0.5 + 1e-6);
}

TEST(ZeroCrossings, LooksOnceWhereNothingCanBeZero) {
  Parabola parabola{-1e-12};
  ZeroCrossings<Parabola> crossings(parabola);
  Guard guard{0, 1, 0};
  EXPECT_EQ(crossings.keep_open(true, 0, 1, &guard, 1), 0);
  EXPECT_EQ(parabola.looks, 1);
}

TEST(ZeroCrossings, WithoutRangesTheSignsOfThirtyTwoPartsDecide) {
  Parabola parabola{0.1};
  ZeroCrossings<Parabola> crossings(parabola);
  Guard guard{0, 1, 0};
  ASSERT_EQ(crossings.keep_open(false, 0, 1, &guard, 1), 1);
  const StepPart part = crossings.first(0, 1, &guard, 1, [&](double t) { return parabola.at(t) < 0; });
  ASSERT_TRUE(part.found);
  EXPECT_EQ(part.to - part.from, 1.0 / 32);
  EXPECT_TRUE(parabola.at(part.from) >= 0 && parabola.at(part.to) < 0);
}

// sin(w t) + sin(sqrt(2) w t) - height. It comes near 2 at each of its beats.
struct Beats {
  void find(double from, double to) {
    const Range turn = {w * from, w * to}, other = {1.41421356237 * turn.low, 1.41421356237 * turn.high};
    function.middle = at(0.5 * (from + to));
    function.value = sine(turn, std::sin(turn.low), std::sin(turn.high)) +
                     sine(other, std::sin(other.low), std::sin(other.high)) - Range::point(height);
    const Range slope = cosine(turn, std::cos(turn.low), std::cos(turn.high)) +
                        Range::point(1.41421356237) * cosine(other, std::cos(other.low), std::cos(other.high));
    function.rate = Range::point(w) * slope;
    ++looks;
  }
  double unit() const { return 1; }
  const Enclosure& operator[](int) const { return function; }
  double at(double t) const { return std::sin(w * t) + std::sin(1.41421356237 * w * t) - height; }
  double w = 0, height = 0;
  Enclosure function{};
  int looks = 0;
};

// 1.99999999 is passed at 52560.41588 rad first, for 1e-4 rad (by all pairs of phases); 2 never.
TEST(ZeroCrossings, FollowAFunctionThroughAsManyPeriodsAsAStepHas) {
  Beats beats;
  beats.w = 1e5, beats.height = 1.99999999;
  ZeroCrossings<Beats> crossings(beats);
  Guard guard{0, -1, 0};
  ASSERT_EQ(crossings.keep_open(true, 0, 1, &guard, 1), 1);
  const StepPart part = crossings.first(0, 1, &guard, 1, [&](double t) { return beats.at(t) > 0; });
  ASSERT_TRUE(part.found);
  EXPECT_NEAR(part.to, 0.52560416, 1e-8);
}

TEST(ZeroCrossings, SayWhereASearchWithoutEndHasCome) {
  Beats beats;
  beats.w = 1e9, beats.height = 1.99999999999;
  ZeroCrossings<Beats> crossings(beats);
  Guard guard{0, -1, 0};
  ASSERT_EQ(crossings.keep_open(true, 0, 1, &guard, 1), 1);
  const StepPart part = crossings.first(0, 1, &guard, 1, [&](double t) { return beats.at(t) > 0; });
  EXPECT_FALSE(part.found);
  EXPECT_TRUE(part.ended);
  EXPECT_GT(part.from, 1e-6);  // a thousand radians
  EXPECT_LT(beats.looks, 1100000);
}

// x - x, which ranges cannot tell from zero, be it by their width or by round-off: after some thousand parts the signs decide.
TEST(ZeroCrossings, LeaveWhatRestsAtZero) {
  struct Rest : Beats {
    void find(double from, double to) {
      const double r = curved * (to - from);
      function = {1e-17, {-r * r - noise, r * r + noise}, {-r, r}};
      ++looks;
    }
    double curved = 0, noise = 0;
  };
  for (const auto& [curved, noise] : {std::pair{1.0, 0.0}, {1e-12, 1e-14}, {1.0, 1e-14}}) {
    Rest rest;
    rest.curved = curved, rest.noise = noise;
    ZeroCrossings<Rest> crossings(rest);
    Guard guard{0, 1, 0};
    ASSERT_EQ(crossings.keep_open(true, 0, 1, &guard, 1), 1);
    const StepPart part = crossings.first(0, 1, &guard, 1, [](double) { return false; });
    EXPECT_FALSE(part.found || part.ended);
    EXPECT_LT(rest.looks, 5000);
  }
}

TEST(Outcomes, AreThoseOfTheFormulaAtEquality) {
  EXPECT_EQ(outcome_of(ComparisonKind::at_least, 0), 1);
  EXPECT_EQ(outcome_of(ComparisonKind::above, 0), 0);
  EXPECT_EQ(outcome_of(ComparisonKind::floor, -0.5), -1);
  EXPECT_EQ(outcome_of(ComparisonKind::at_least, std::numeric_limits<double>::quiet_NaN()), 0);
}

TEST(SampleClock, TicksAtItsStartAndEveryPeriodAfterIt) {
  SampleClock clock = SampleClock::from(0.1, 0.02, 0.3);
  EXPECT_DOUBLE_EQ(clock.time(), 0.32);
  EXPECT_FALSE(clock.due(0.3));
  EXPECT_TRUE(clock.due(0.32 - 1e-12));
  clock.tick();
  EXPECT_DOUBLE_EQ(clock.time(), 0.42);
  EXPECT_EQ(SampleClock::from(0.1, 1, 0).count, 0);
  EXPECT_EQ(SampleClock::from(0.1, 0, 0.3).count, 3);  // 0.3/0.1 is a little less than 3
}

}  // namespace
}  // namespace armature::step
