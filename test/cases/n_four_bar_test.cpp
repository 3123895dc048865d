// N windows of equal bars (IFToMM benchmark A02; Gonzalez et al., Multibody System Dynamics 15, 2006): whenever they lie
// flat, one degree of freedom becomes N+1. The regular motion is that of one coordinate,
//   ((N+1)/3 + N) phi'' = -g ((N+1)/2 + N) cos phi,
// integrated here on its own by RK4 with steps so small that round-off is all that is left.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run_model.hpp"

namespace armature {
namespace {

// phi at t = 0, 0.1, ... 10 s, by RK4 with `steps` a tenth of a second.
std::vector<double> regular_motion(int N, int steps = 2000) {
  const double factor = -9.81 * ((N + 1) / 2.0 + N) / ((N + 1) / 3.0 + N), h = 0.1 / steps;
  auto acceleration = [&](double phi) { return factor * std::cos(phi); };
  double phi = M_PI / 2, w = -1;
  std::vector<double> result{phi};
  for (int k = 1; k <= 100 * steps; ++k) {
    const double a1 = acceleration(phi), a2 = acceleration(phi + h / 2 * w), a3 = acceleration(phi + h / 2 * (w + h / 2 * a1));
    const double a4 = acceleration(phi + h * (w + h / 2 * a2));
    phi += h * (w + h / 6 * (a1 + a2 + a3));
    w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    if (k % steps == 0) result.push_back(phi);
  }
  return result;
}

Model bars(int N) {
  Model model = shipped("n_four_bar", {{"N", std::to_string(N)}});
  model.simulate.record = 0.1;
  return model;
}

// Largest distance of B0 from the regular motion; and all uprights must stay parallel, to the same.
double distance_from_branch(const Simulation& run, const std::vector<double>& phi, int N) {
  double largest = 0;
  const auto x = run.column("B0.x"), y = run.column("B0.y"), first = run.column("pivot0"), last = run.column("pivot" + std::to_string(N));
  EXPECT_EQ(x.size(), phi.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    largest = std::max(largest, std::hypot(x[i] - std::cos(phi[i]), y[i] - std::sin(phi[i])));
    largest = std::max(largest, std::abs(last[i] - first[i]));
  }
  return largest;
}

TEST(NFourBar, ReferenceHasThePublishedDigits) {
  EXPECT_NEAR(std::cos(regular_motion(2).back()), 0.32845811, 1e-8);
  EXPECT_NEAR(std::sin(regular_motion(2).back()), 0.94451854, 1e-8);
  EXPECT_NEAR(std::cos(regular_motion(40).back()), 0.18051223, 1e-8);
  EXPECT_NEAR(std::sin(regular_motion(40).back()), 0.98357274, 1e-8);
}

class NumberOfWindows : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(N, NumberOfWindows, testing::Values(2, 10, 40), [](const auto& info) { return std::to_string(info.param); });

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

// RK4 on the one coordinate has an error e(h) of its own over 10 s; through the loops it may not be much larger.
TEST(NFourBar, PassesItsSingularPoseAt24StepSizes) {
  const auto exact = regular_motion(2);
  for (int k = 7; k <= 30; ++k) {
    Model model = bars(2);
    model.simulate.integrator = "rk4";
    model.simulate.step = 0.1 / k;
    const auto one_coordinate = regular_motion(2, k);
    double own = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) own = std::max(own, std::abs(one_coordinate[i] - exact[i]));
    const double distance = distance_from_branch(simulated(model), exact, 2);
    RecordProperty("k" + std::to_string(k), std::to_string(distance) + " / " + std::to_string(own));
    EXPECT_LT(distance, 3 * own + 1e-9) << "step 0.1/" << k;
  }
}

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
  return std::string(info.param.integrator) + "_1e" + std::to_string(static_cast<int>(-std::lround(std::log10(info.param.rtol))));
});

// The same equation as a pendulum of one coordinate: a point mass W^2/I on a rod of length I/W.
double error_of_one_coordinate(const Run& run, const std::vector<double>& phi) {
  Model model = read_model_text(R"(
armature: 1
gravity: [0, -9.81, 0]
parameters: {I: 3, W: 3.5}
bodies: {bob: {mass: W^2/I, center: [I/W, 0, 0], inertia: none}}
joints: {phi: {type: revolute, axis: z, between: [ground, bob]}}
start: {keep: {phi: 90 deg}, speed: {phi: -1}}
simulate: {end: 10, record: 0.1}
)");
  model.simulate.integrator = run.integrator;
  model.simulate.rtol = run.rtol;
  const auto own = simulated(model).column("phi");
  double largest = 0;
  for (std::size_t i = 0; i < phi.size(); ++i) largest = std::max(largest, std::abs(own.at(i) - phi[i]));
  return largest;
}

// On the other branch the distance would be of the order of 1. Through the loops a run may err a few times as much as the
// same integrator does on the one coordinate at this tolerance.
TEST_P(ErrorControlled, PassesTheSingularPose) {
  Model model = bars(2);
  model.simulate.integrator = GetParam().integrator;
  model.simulate.rtol = GetParam().rtol;
  const auto exact = regular_motion(2);
  const double distance = distance_from_branch(simulated(model), exact, 2), own = error_of_one_coordinate(GetParam(), exact);
  RecordProperty("over_own", std::to_string(distance / own));
  EXPECT_LT(distance, 10 * own) << "own error " << own;
}

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
