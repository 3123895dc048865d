#include "step/scalar.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace armature::step {
namespace {

TEST(Scalar, LogarithmsAndExponentialsAreThoseOfTheLibrary) {
  for (double x = 1e-300; x < 1e300; x *= 1.37e3) {
    EXPECT_NEAR(logarithm(x), std::log(x), 2e-15 * (1 + std::abs(std::log(x)))) << x;
    EXPECT_NEAR(logarithm(x * 1.01) - logarithm(x), std::log(1.01), 1e-12) << x;
  }
  for (double x = -690; x < 690; x += 3.7)
    EXPECT_NEAR(exponential(x) / std::exp(x), 1, 4e-16 * (1 + std::abs(x) / 100)) << x;
  EXPECT_EQ(exponential(0), 1);
  EXPECT_EQ(logarithm(1), 0);
  EXPECT_NEAR(power(7, -0.3), std::pow(7, -0.3), 1e-15);
  EXPECT_GT(power(0, 2), 0);  // as the smallest normal number
}

TEST(Scalar, RoundsToTheNearestIntegerAndDown) {
  EXPECT_EQ(nearest_integer(2.5), 3);
  EXPECT_EQ(nearest_integer(2.4999), 2);
  EXPECT_EQ(nearest_integer(-2.5), -2);
  EXPECT_EQ(nearest_integer(-2.6), -3);
  EXPECT_EQ(rounded_down(-2.1), -3);
}

TEST(Scalar, KnowsWhatIsFinite) {
  EXPECT_TRUE(finite(-1e308));
  EXPECT_FALSE(finite(infinity));
  EXPECT_FALSE(finite(-infinity));
  EXPECT_FALSE(finite(std::numeric_limits<double>::quiet_NaN()));
}

TEST(Scalar, OrdersNumbers) {
  EXPECT_EQ(larger(-1, 2), 2);
  EXPECT_EQ(smaller(-1, 2), -1);
  EXPECT_EQ(clamped(-3, -1, 2), -1);
  EXPECT_EQ(clamped(3, -1, 2), 2);
  EXPECT_EQ(clamped(1, -1, 2), 1);
  EXPECT_EQ(number_of(bits_of(-0.7)), -0.7);
  EXPECT_EQ(resolved(1e-9), 1e-9);
}

}  // namespace
}  // namespace armature::step
