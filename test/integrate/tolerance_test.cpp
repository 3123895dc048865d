// The error of a run goes with the tolerance: a tenth of rtol and atol gives about a tenth of the error.
#include <gtest/gtest.h>

#include "integrate/problems.hpp"

namespace armature::internal {
namespace {

class ToleranceOf : public testing::TestWithParam<const char*> {
 protected:
  double error(double tolerance) {
    Problem problem = smooth_problem();
    const auto integrator = make_integrator(GetParam(), problem, tolerances(problem, tolerance));
    integrator->start(0, smooth_solution(0));
    double largest = 0;
    while (integrator->t() < 10) {
      EXPECT_EQ(integrator->step(10), StepStatus::ok);
      largest = std::max(largest, (integrator->x() - smooth_solution(integrator->t())).norm());
    }
    return largest;
  }
};
INSTANTIATE_TEST_SUITE_P(Names, ToleranceOf, testing::Values("dopri5", "dop853", "radau5", "cvode_bdf", "cvode_adams"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(ToleranceOf, ErrorsAreInProportionToIt) {
  const double coarse = error(1e-4), fine = error(1e-10);
  // Six decades. Error per step control gives tol^(p/(p+1)) to tol^1, and CVODE changes its order on the way.
  const double slope = std::log10(coarse / fine) / 6;
  EXPECT_GT(slope, 0.75);
  EXPECT_LT(slope, 1.25);
  EXPECT_LT(fine, 1e-7);
}

}  // namespace
}  // namespace armature::internal
