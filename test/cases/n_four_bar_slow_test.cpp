// The sweeps of n_four_bar_test.cpp with more windows.
#include <gtest/gtest.h>

#include "cases/n_four_bar.hpp"

namespace armature {
namespace {

class ManyWindows : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(N, ManyWindows, testing::Values(10, 40), [](const auto& info) { return std::to_string(info.param); });

TEST_P(ManyWindows, PassAt24StepSizes) { n_four_bar::expect_passes_at_24_step_sizes(GetParam()); }

TEST_P(ManyWindows, PassAtAnyTolerance) {
  for (const char* integrator : {"dopri5", "dop853", "cvode_adams"})
    for (int digits = 4; digits <= 10; ++digits) n_four_bar::expect_passes(integrator, std::pow(10.0, -digits), GetParam());
}

// BDF factors a dense Jacobian at each change of the step.
TEST(TenWindows, PassWithBdf) {
  for (int digits = 4; digits <= 10; ++digits) n_four_bar::expect_passes("cvode_bdf", std::pow(10.0, -digits), 10);
}

}  // namespace
}  // namespace armature
