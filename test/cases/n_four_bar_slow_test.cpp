// The sweeps of n_four_bar_test.cpp with more windows.
#include <gtest/gtest.h>

#include "cases/n_four_bar.hpp"

namespace armature::internal {
namespace {

class ManyWindows : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(N, ManyWindows, testing::Values(10, 40),
                         [](const auto& info) { return std::to_string(info.param); });

TEST_P(ManyWindows, PassAt24StepSizes) { n_four_bar::expect_passes_at_24_step_sizes(GetParam()); }

TEST_P(ManyWindows, PassAtAnyTolerance) {
  for (const char* integrator : {"dopri5", "dop853"})
    for (int digits = 4; digits <= 10; ++digits)
      n_four_bar::expect_passes(integrator, std::pow(10.0, -digits), GetParam());
}

// Adams judges errors off the manifold too. With 80 rows their noise at the singular pose is about 1e-10: it ends there.
TEST_P(ManyWindows, PassWithAdams) {
  for (int digits = 4; digits <= (GetParam() == 40 ? 9 : 10); ++digits)
    n_four_bar::expect_passes("cvode_adams", std::pow(10.0, -digits), GetParam());
}

// A thousand windows: the published motion to as many digits as a few have.
TEST(ThousandWindows, EndWhereTheRegularMotionDoes) {
  Model model = n_four_bar::bars(1000);
  model.simulate.rtol = 1e-11;
  const Simulation run = simulated(model);
  EXPECT_LT(n_four_bar::distance_from_branch(run, n_four_bar::regular_motion(1000), 1000), 1e-8);
}

// BDF factors a dense Jacobian at each change of the step.
TEST(TenWindows, PassWithBdf) {
  for (int digits = 4; digits <= 10; ++digits) n_four_bar::expect_passes("cvode_bdf", std::pow(10.0, -digits), 10);
}

}  // namespace
}  // namespace armature::internal
