// The cubic of both ends, and further rows: x(theta) = x0 + theta (F0 + (1 - theta)(F1 + theta (F2 + (1 - theta) F3))).
#include "step/dense_arithmetic.hpp"

#include <gtest/gtest.h>

namespace armature::step {
namespace {

// x = 1 + 2 t - t^2 + 0.5 t^3 from t = 1 to 3 in eleven entries, each k times as large: the cubic is exact.
struct CubicStep {
  static constexpr int n = 11;
  Row<1> h{{2}}, x0[n], x1[n], f0[n], f1[n], F[4 * n] = {};
  static double at(double t) { return 1 + 2 * t - t * t + 0.5 * t * t * t; }
  static double rate(double t) { return 2 - 2 * t + 1.5 * t * t; }
  CubicStep() {
    for (int e = 0; e < n; ++e) {
      const double k = e + 1;
      x0[e][0] = k * at(1), x1[e][0] = k * at(3), f0[e][0] = k * rate(1), f1[e][0] = k * rate(3);
    }
    plain::dense_ends<1>(n, h, x0, x1, f0, f1, F);
  }
};

TEST(DenseArithmetic, GivesACubicBack) {
  const CubicStep step;
  for (const double theta : {0.0, 0.3, 0.5, 1.0}) {
    Row<1> x[CubicStep::n];
    plain::dense_value<1>(CubicStep::n, 3, Row<1>{{theta}}, step.F, step.x0, x);
    for (int e = 0; e < CubicStep::n; ++e) EXPECT_NEAR(x[e][0], (e + 1) * CubicStep::at(1 + 2 * theta), 1e-12) << theta;
  }
}

TEST(DenseArithmetic, PowersAreThoseOfTheSamePolynomial) {
  CubicStep step;
  for (int e = 0; e < CubicStep::n; ++e) step.F[3 * CubicStep::n + e][0] = 0.7 * e;  // a fourth column
  const int e = 6;
  Row<1> powers[5], x[CubicStep::n];
  plain::dense_powers<1>(CubicStep::n, 4, e, step.F, step.x0, powers);
  for (const double theta : {0.0, 0.2, 0.9}) {
    plain::dense_value<1>(CubicStep::n, 4, Row<1>{{theta}}, step.F, step.x0, x);
    double sum = 0;
    for (int k = 4; k >= 0; --k) sum = sum * (theta - 0.5) + powers[k][0];
    EXPECT_NEAR(sum, x[e][0], 1e-12) << theta;
  }
}

TEST(DenseArithmetic, HasTheSameBitsInLanes) {
  const CubicStep one;
  Row<8> h, x0, x1, f0, f1, F[3], x, theta;
  for (int k = 0; k < 8; ++k)
    h[k] = 2, x0[k] = one.x0[k][0], x1[k] = one.x1[k][0], f0[k] = one.f0[k][0], f1[k] = one.f1[k][0], theta[k] = 0.37;
  plain::dense_ends<8>(1, h, &x0, &x1, &f0, &f1, F);
  plain::dense_value<8>(1, 3, theta, F, &x0, &x);
  Row<1> alone[CubicStep::n];
  plain::dense_value<1>(CubicStep::n, 3, Row<1>{{0.37}}, one.F, one.x0, alone);
  for (int k = 0; k < 8; ++k) EXPECT_EQ(x[k], alone[k][0]) << k;
}

}  // namespace
}  // namespace armature::step
