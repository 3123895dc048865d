#include "step/root_noise.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace armature::step {
namespace {

// Two roots of (q, v): 3 q - 2 v + t and v^2.
struct NoisyRoots {
  double values[2];
  const double* roots(double t, const double* x) {
    values[0] = 3 * x[0] - 2 * x[1] + t, values[1] = x[1] * x[1];
    return values;
  }
};

// 1e-12 of size and value: of q 3e-12 (1 + 0), of v 2e-12 (1 + 5); slopes by velocities alone.
TEST(RootNoise, IsWhatRoundOffOfTheStateMakes) {
  NoisyRoots engine;
  const int entries[] = {0, 1};
  double x[] = {0, 5};
  Comparison comparisons[2];
  take_root_noise(engine, {.comparisons = 2, .nq = 1, .nv = 1, .nx = 2, .entries = entries, .entry_count = 2}, 0.0, x,
                  comparisons);
  EXPECT_NEAR(comparisons[0].noise, 12e-12, 1e-14);
  EXPECT_NEAR(comparisons[0].slope, 2, 1e-3);
  EXPECT_NEAR(comparisons[1].noise, 60e-12, 1e-13);
  EXPECT_NEAR(comparisons[1].slope, 10, 1e-3);
  EXPECT_EQ(x[0], 0);
  EXPECT_EQ(x[1], 5);
  EXPECT_NEAR(rate_noise(comparisons[0], -7), 1e-12 * comparisons[0].slope * 7, 1e-20);
}

TEST(RootNoise, KnowsTheSizesOfTheMachine) {
  const double sizes[] = {0.01, 0.2};
  EXPECT_NEAR((EventSizes{.nq = 1, .nv = 1, .sizes = sizes}.rate()), 20, 1e-13);
  EXPECT_EQ(EventSizes{}.rate(), 1);
  NoisyRoots engine;
  const int entries[] = {0};
  double x[] = {0, 0};
  Comparison comparisons[2];
  take_root_noise(engine,
                  {.comparisons = 2, .nq = 1, .nv = 1, .nx = 2, .entries = entries, .entry_count = 1, .sizes = sizes},
                  0.0, x, comparisons);
  EXPECT_NEAR(comparisons[0].noise, 3e-14, 1e-18);
}

}  // namespace
}  // namespace armature::step
