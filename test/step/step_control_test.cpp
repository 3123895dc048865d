#include "step/step_control.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "integrate/tolerance.hpp"

namespace armature::internal {
namespace {

using step::StepControl;

TEST(Tolerance, NormIsOneWhereEveryErrorIsJustTolerated) {
  const Tolerance tolerance{0.5, Eigen::Vector2d(1, 2)};
  const Eigen::VectorXd x0 = Eigen::Vector2d(2, 0), x1 = Eigen::Vector2d(-4, 1);
  EXPECT_DOUBLE_EQ(tolerance.norm(Eigen::Vector2d(3, -2.5), x0, x1), 1);  // 1 + 4/2, 2 + 1/2
}

TEST(Tolerance, NotANumberCountsAsInfinite) {
  const Tolerance tolerance{1, Eigen::VectorXd::Zero(1)};
  const Eigen::VectorXd nan = Eigen::VectorXd::Constant(1, std::nan("")), one = Eigen::VectorXd::Ones(1);
  EXPECT_EQ(tolerance.norm(nan, one, one), std::numeric_limits<double>::infinity());
}

TEST(Tolerance, StateThatIsNotFiniteIsNoReasonForALargeScale) {
  const Tolerance tolerance{1, Eigen::VectorXd::Zero(1)};
  const double infinity = std::numeric_limits<double>::infinity();
  const Eigen::VectorXd one = Eigen::VectorXd::Ones(1);
  EXPECT_EQ(tolerance.norm(one, one, infinity * one), infinity);
}

TEST(Tolerance, NoErrorAtNoScaleIsNoError) {
  const Tolerance tolerance{1, Eigen::VectorXd::Zero(1)};
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(1);
  EXPECT_EQ(tolerance.norm(zero, zero, zero), 0);
}

TEST(StepControl, SettlesWhereTheErrorIsBelowOne) {
  StepControl control(5, 0);
  control.set_length(1);
  double error = 0;
  for (int i = 0; i < 50; ++i) {
    const double h = control.length();
    error = std::pow(h / 0.01, 5);  // an estimate of order 5
    error <= 1 ? control.accept(h, error) : control.reject(h, error);
  }
  EXPECT_GT(error, 0.3);
  EXPECT_LE(error, 1);
}

TEST(StepControl, StopsAreMetWithoutTinySteps) {
  StepControl control(5, 0);
  control.set_length(1);
  EXPECT_EQ(control.towards(10), 1);
  EXPECT_EQ(control.towards(1.005), 1.005);
  EXPECT_EQ(control.towards(1.1), 0.55);
  EXPECT_EQ(control.towards(0.3), 0.3);
}

TEST(StepControl, StepCutShortDoesNotLowerTheNext) {
  StepControl control(5, 0);
  control.set_length(1);
  control.accept(1e-6, 1e-20);
  EXPECT_EQ(control.length(), 1);
}

TEST(StepControl, NeverExceedsTheLargestStep) {
  StepControl control(5, 0.5);
  control.set_length(2);
  EXPECT_EQ(control.length(), 0.5);
  control.accept(0.5, 1e-10);
  EXPECT_EQ(control.length(), 0.5);
  EXPECT_LE(control.towards(0.503), 0.5);
}

TEST(StepControl, DoesNotGrowRightAfterARejection) {
  StepControl control(5, 0);
  control.set_length(1);
  control.reject(1, 5);
  const double h = control.length();
  EXPECT_LT(h, 1);
  control.accept(h, 1e-8);
  EXPECT_EQ(control.length(), h);
}

}  // namespace
}  // namespace armature::internal
