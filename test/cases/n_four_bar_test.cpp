// N windows of equal bars (IFToMM benchmark A02; Gonzalez et al., Multibody System Dynamics 15, 2006): whenever they lie
// flat, one degree of freedom becomes N+1. The regular motion is that of one coordinate,
//   ((N+1)/3 + N) phi'' = -g ((N+1)/2 + N) cos phi,
// integrated here on its own by RK4 with steps so small that round-off is all that is left.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "cases/n_four_bar.hpp"
#include "dynamics/dynamics.hpp"
#include "dynamics/traced_size.hpp"
#include "prepare/setup.hpp"

namespace armature::internal {
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

// Each window costs as much as the one before: the programs of all terms and of the traced solve are straight lines in N.
TEST(NFourBar, ProgramsGrowAsTheNumberOfWindows) {
  struct Size {
    int terms, traced;
  };
  std::map<int, Size> size;
  for (int N : {10, 20, 40, 80}) {
    const Prepared start = prepared(bars(N));
    size[N] = {start.system->operation_count(), start.system->traced_operation_count()};
  }
  for (int N : {20, 40}) {
    EXPECT_LE(size[2 * N].terms - size[N].terms, 2.02 * (size[N].terms - size[N / 2].terms)) << N;
    EXPECT_LE(size[2 * N].traced - size[N].traced, 2.02 * (size[N].traced - size[N / 2].traced)) << N;
  }
}

TEST(NFourBar, ManyWindowsStayOnTheBranch) {
  Model model = bars(120);
  model.simulate.rtol = 1e-10;
  EXPECT_LT(distance_from_branch(simulated(model), regular_motion(120), 120), 1e-7);
}

// What is not traced is factored by its pattern at each evaluation: the same motion.
TEST(NFourBar, StaysOnTheBranchWithoutTracedSolve) {
  Model model = bars(60);
  model.simulate.rtol = 1e-9;
  Prepared start = prepared(model);
  SystemOptions options = start.system->options();
  ASSERT_TRUE(options.traced_solve);
  options.traced_solve = false;
  start.system = std::make_shared<const System>(start.system->shared_equations(), options);
  EXPECT_LT(distance_from_branch(simulated(start), regular_motion(60), 60), 1e-6);
}

TEST(NFourBar, SizeOfTheTracedSolveIsKnownBeforehand) {
  for (int N : {10, 40}) {
    const Prepared start = prepared(bars(N));
    const SystemEvaluator evaluator(start.system);
    const long size =
        traced_size(*start.system, evaluator.make_sparse_terms(), start.system->options().independent_rows);
    EXPECT_GT(size, 0.5 * start.system->traced_operation_count());
    EXPECT_LT(size, 2.0 * start.system->traced_operation_count());
  }
}

// Accelerations of the flat windows, whose uprights turn with -1 rad/s.
Eigen::VectorXd flat_acceleration(int N, const char* formulation, bool projection) {
  Model model = bars(N);
  model.simulate.formulation = formulation;
  model.simulate.projection = projection;
  const Prepared start = prepared(model);
  const auto dynamics = make_dynamics(start);
  const Equations& e = start.system->equations();
  const auto n = static_cast<Eigen::Index>(e.positions.size());
  Eigen::VectorXd x = Eigen::VectorXd::Zero(start.start.x.size()), xdot = x;
  for (Eigen::Index i = 0; i < n; ++i) x[n + i] = e.positions[i].joint.starts_with("pivot") ? -1 : 1;
  dynamics->set_state(start.start);
  EXPECT_TRUE(dynamics->derivative(0, x.data(), xdot.data()));
  EXPECT_EQ(dynamics->acceleration().rank, N) << formulation;
  return xdot.segment(n, n);
}

// Flat, half of the rows depend on the others: the sparse solve must leave out as many as the dense ones do, and find the
// same acceleration.
TEST(NFourBar, FlatPoseOfManyWindowsAgreesWithTheDenseSolve) {
  const Eigen::VectorXd sparse = flat_acceleration(70, "auto", false);
  for (const char* formulation : {"null_space", "udwadia_kalaba"}) {
    const Eigen::VectorXd dense = flat_acceleration(70, formulation, false);
    EXPECT_LT((sparse - dense).norm(), 1e-10 * dense.norm());  // round-off of 140 rows, solved by other routes
  }
}

// With projection it is that of the branch, which the rows that are left do not say.
TEST(NFourBar, FlatPoseHasTheAccelerationOfItsBranch) {
  for (const int N : {2, 70}) {
    const double branch = -9.81 * ((N + 1) / 2.0 + N) / ((N + 1) / 3.0 + N);
    const Eigen::VectorXd rates = flat_acceleration(N, "auto", true);
    EXPECT_LT((rates.cwiseAbs().array() + branch).abs().maxCoeff(), 1e-5) << N;  // eps N^2 / reach^2 for N = 70
  }
}

TEST(NFourBar, PassesItsSingularPoseAt24StepSizes) { expect_passes_at_24_step_sizes(2); }

struct Run {
  const char* integrator;
  double rtol;
};
class ErrorControlled : public testing::TestWithParam<Run> {};
std::vector<Run> runs() {
  std::vector<Run> list;
  for (const char* integrator : {"dopri5", "dop853", "radau5", "cvode_bdf", "cvode_adams"})
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

// All bars lie on one line: rank 2 of 4, and which way they go from there is open. They go, and it is said.
TEST(NFourBar, GoesOnFromAFlatStart) {
  const Simulation run = simulated_text(R"yaml(plane: xy
gravity: [0, -9.81, 0]
bodies:
  a: {mass: 1 kg, center: [0.5, 0, 0], inertia: {rod: 1}}
  b: {mass: 1 kg, center: [0.5, 0, 0], inertia: {rod: 1}}
  c: {mass: 1 kg, center: [0.5, 0, 0], inertia: {rod: 1}}
joints:
  first: {type: revolute, between: [ground, a]}
  second: {type: revolute, between: ["ground [1, 0, 0]", b]}
  hinge: {type: revolute, between: ["a [1, 0, 0]", c]}
  pin: {type: revolute, between: ["c [1, 0, 0]", "b [1, 0, 0]"]}
start: {keep: {first: 0}, near: {second: 0, hinge: 0}, speed: {first: -1}}
simulate: {end: 0.5, record: 0.1}
)yaml");
  EXPECT_LT(run.last("first"), -0.1);
  ASSERT_FALSE(run.outcome.warnings().empty());
  EXPECT_TRUE(
      run.outcome.warnings()[0].starts_with("the start is a singular pose, with 2 degrees of freedom here and 1"))
      << run.outcome.warnings()[0];
}

}  // namespace
}  // namespace armature::internal
