// N windows of equal bars (IFToMM benchmark A02; Gonzalez et al., Multibody System Dynamics 15, 2006): whenever they lie
// flat, one degree of freedom becomes N+1. The regular motion is that of one coordinate,
//   ((N+1)/3 + N) phi'' = -g ((N+1)/2 + N) cos phi,
// integrated here on its own by RK4 with steps so small that round-off is all that is left.
#include <gtest/gtest.h>

#include <cmath>

#include "cases/n_four_bar.hpp"

namespace armature {
namespace {

using namespace n_four_bar;

TEST(NFourBar, ReferenceHasThePublishedDigits) {
  EXPECT_NEAR(std::cos(regular_motion(2).back()), 0.32845811, 1e-8);
  EXPECT_NEAR(std::sin(regular_motion(2).back()), 0.94451854, 1e-8);
  EXPECT_NEAR(std::cos(regular_motion(40).back()), 0.18051223, 1e-8);
  EXPECT_NEAR(std::sin(regular_motion(40).back()), 0.98357274, 1e-8);
}

class NumberOfWindows : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(N, NumberOfWindows, testing::Values(2, 10, 40),
                         [](const auto& info) { return std::to_string(info.param); });

TEST_P(NumberOfWindows, EndsWhereTheBenchmarkSays) {
  Model model = bars(GetParam());
  model.simulate.rtol = 1e-11;
  EXPECT_LT(distance_from_branch(simulated(model), regular_motion(GetParam()), GetParam()), 1e-8);
}

TEST_P(NumberOfWindows, KeepsItsEnergy) {
  Model model = bars(GetParam());
  model.simulate.rtol = 1e-9;
  const Simulation run = simulated(model);
  const auto kinetic = run.column("energy.kinetic");
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-6 * *std::max_element(kinetic.begin(), kinetic.end()));
}

TEST(NFourBar, PassesItsSingularPoseAt24StepSizes) { expect_passes_at_24_step_sizes(2); }

struct Run {
  const char* integrator;
  double rtol;
};
class ErrorControlled : public testing::TestWithParam<Run> {};
std::vector<Run> runs() {
  std::vector<Run> list;
  for (const char* integrator : {"dopri5", "dop853", "cvode_bdf", "cvode_adams"})
    for (int digits = 4; digits <= 10; ++digits) list.push_back({integrator, std::pow(10.0, -digits)});
  return list;
}
INSTANTIATE_TEST_SUITE_P(Runs, ErrorControlled, testing::ValuesIn(runs()), [](const auto& info) {
  return std::string(info.param.integrator) + "_1e" +
         std::to_string(static_cast<int>(-std::lround(std::log10(info.param.rtol))));
});

TEST_P(ErrorControlled, PassesTheSingularPose) { expect_passes(GetParam().integrator, GetParam().rtol, 2); }

// IDA solves for multipliers of independent rows, which are lost where the bars lie flat: it says so, or passes by.
TEST(NFourBar, IdaSaysASentenceOrPasses) {
  Model model = bars(2);
  model.simulate.integrator = "ida";
  const Simulation run = simulated(prepared(model));
  if (run.outcome.status == RunStatus::finished) {
    EXPECT_LT(distance_from_branch(run, regular_motion(2), 2), 1e-4);
  } else {
    EXPECT_EQ(run.outcome.status, RunStatus::failed);
    EXPECT_NE(run.outcome.sentence.find("t = "), std::string::npos) << run.outcome.sentence;
    EXPECT_NE(run.outcome.sentence.find("singular"), std::string::npos) << run.outcome.sentence;
  }
}

}  // namespace
}  // namespace armature
