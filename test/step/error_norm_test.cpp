#include "step/error_norm.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "step/tolerance.hpp"

namespace armature::step {
namespace {

constexpr int entries = 7;  // four in a pack, three beside it

// sqrt(mean of (e_i/(atol_i + rtol max(|x0_i|, |x1_i|)))^2)
double norm_by_hand(const double* e, const double* x0, const double* x1, double rtol, const double* atol) {
  double sum = 0;
  for (int i = 0; i < entries; ++i)
    sum += std::pow(e[i] / (atol[i] + rtol * std::max(std::abs(x0[i]), std::abs(x1[i]))), 2);
  return std::sqrt(sum / entries);
}

struct NormCase {
  Row<1> error[entries], x0[entries], x1[entries], atol[entries];
  NormCase() {
    for (int i = 0; i < entries; ++i) {
      error[i][0] = (i % 2 ? -1e-6 : 2e-6) * (i + 1), x0[i][0] = i % 3 ? -2.0 * i : 0.5,
      x1[i][0] = i % 2 ? 3.0 : -0.1 * i;
      atol[i][0] = 1e-7 * (i + 1);
    }
  }
  double norm(int n = entries) const {
    Row<1> result;
    Tolerance<1>{1e-5, atol}.norm(n, error, x0, x1, result);
    return result[0];
  }
};

TEST(ErrorNorm, IsTheRootMeanSquareOverTheTolerance) {
  const NormCase one;
  EXPECT_NEAR(one.norm(), norm_by_hand(one.error->lane, one.x0->lane, one.x1->lane, 1e-5, one.atol->lane), 1e-14);
  EXPECT_EQ(one.norm(0), 0);
}

TEST(ErrorNorm, IsTheSameInEveryLane) {
  const NormCase one;
  Row<8> error[entries], x0[entries], x1[entries], atol[entries], result;
  for (int i = 0; i < entries; ++i)
    for (int k = 0; k < 8; ++k)
      error[i][k] = k * one.error[i][0], x0[i][k] = one.x0[i][0], x1[i][k] = one.x1[i][0], atol[i][k] = one.atol[i][0];
  Tolerance<8>{1e-5, atol}.norm(entries, error, x0, x1, result);
  EXPECT_EQ(result[1], one.norm());  // the same bits
  EXPECT_EQ(result[0], 0);
  EXPECT_NEAR(result[3], 3 * one.norm(), 1e-14);
}

TEST(ErrorNorm, OfWhatIsNotFiniteIsInfinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const int i : {0, 3, 6})
    for (const double bad : {nan, inf, -inf}) {
      NormCase one;
      one.error[i][0] = bad;
      EXPECT_EQ(one.norm(), inf) << i << bad;
      one = {};
      (std::isnan(bad) ? one.x0 : one.x1)[i][0] = bad;
      EXPECT_EQ(one.norm(), inf) << i << bad;
    }
}

}  // namespace
}  // namespace armature::step
