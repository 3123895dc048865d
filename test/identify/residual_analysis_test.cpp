// Residuals: a sine is told from noise, and found in the spectrum.
#include "identify/residual_analysis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace armature::internal {
namespace {

TEST(ResidualAnalysis, OfNoiseIsWhite) {
  std::mt19937 generator(5);
  std::normal_distribution<double> normal(0, 0.3);
  std::vector<double> t, r;
  for (int k = 0; k < 2000; ++k) t.push_back(1e-3 * k), r.push_back(normal(generator));
  const ResidualAnalysis found = analyze_residuals(t, r);
  EXPECT_EQ(found.count, 2000);
  EXPECT_NEAR(found.rms, 0.3, 0.015);  // three times 0.3/sqrt(4000)
  EXPECT_TRUE(found.is_white());
}

TEST(ResidualAnalysis, FindsASineAndItsAmplitude) {
  std::vector<double> t, r;
  for (int k = 0; k < 500; ++k) {
    t.push_back(0.01 * k);
    r.push_back(k % 7 == 3 ? std::numeric_limits<double>::quiet_NaN()
                           : 0.2 * std::sin(2 * std::numbers::pi * 4 * t.back()));
  }
  const ResidualAnalysis found = analyze_residuals(t, r);
  EXPECT_EQ(found.count, 500 - 71);
  EXPECT_FALSE(found.is_white());
  EXPECT_NEAR(found.peak_frequency, 4, 0.2);  // one over the duration
  EXPECT_NEAR(*std::max_element(found.amplitude.begin(), found.amplitude.end()), 0.2, 0.01);
}

}  // namespace
}  // namespace armature::internal
