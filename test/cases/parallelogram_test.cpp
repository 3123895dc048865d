// A parallelogram turns through its flat poses, where a second branch leads away and the constraint of a massless rod vanishes.
// All recorded rows are on the branch that it came on, also those inside long steps across a pose.

#include <fmt/format.h>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

struct Link {
  double mass, center, inertia;
};

struct Machine {
  double gravity, crank_length, base;
  Link crank, rocker;
  double speed, rtol;
};

// With which rows were recorded that lay on the other branch.
const Machine machines[] = {
    {0, 0.5, 1, {5, 0.446, 0.125}, {1, 0.125, 0.02}, 13.55419711244579, 1.4393483528020445e-6},
    {0, 0.2, 0.3, {0.1, 0.018, 4e-4}, {5, 0.089, 0.016}, 15.4355293, 6.478e-7},
    {0, 0.5, 0.3, {5, 0.147, 0.125}, {1, 0.185, 0.02}, 17.27717448, 8.519e-8},
    {0, 1, 1, {0.1, 0.006, 0.01}, {5, 0.55, 0.4}, 19.49306141, 2.283e-7},
    {-9.81, 0.5, 1, {1, 0.25, 0.02}, {2, 0.25, 0.05}, 9, 1e-9},
};

std::string parallelogram(const Machine& m, const std::string& bodies, const std::string& closing) {
  return fmt::format(R"(
plane: xy
gravity: [0, {}, 0]
bodies:
  crank: {{mass: {}, center: [{}, 0, 0], inertia: {{zz: {}}}}}
  rocker: {{mass: {}, center: [{}, 0, 0], inertia: {{zz: {}}}}}
{}
joints:
  a: {{type: revolute, between: [ground, crank]}}
  b: {{type: revolute, between: ["ground [{}, 0, 0]", rocker]}}
{}
start: {{keep: {{a: 0.5}}, near: {{b: 0.5}}, speed: {{a: {}}}}}
simulate: {{end: 5 s, record: 10 ms, rtol: {}}}
)",
                     m.gravity, m.crank.mass, m.crank.center, m.crank.inertia, m.rocker.mass, m.rocker.center,
                     m.rocker.inertia, bodies, m.base, closing, m.speed, m.rtol);
}

std::string with_massless_rod(const Machine& m) {
  return parallelogram(
      m, "",
      fmt::format("constraints:\n  rod: {{type: distance, between: [\"crank [{0}, 0, 0]\", \"rocker [{0}, "
                  "0, 0]\"], length: {1}}}",
                  m.crank_length, m.base));
}

std::string with_light_rod(const Machine& m) {
  return parallelogram(m, fmt::format("  rod: {{mass: 1e-3, center: [{}, 0, 0], inertia: {{zz: 1e-4}}}}", m.base / 2),
                       fmt::format("  c: {{type: revolute, between: [\"crank [{0}, 0, 0]\", rod]}}\n"
                                   "  d: {{type: revolute, between: [\"rod [{1}, 0, 0]\", \"rocker [{0}, 0, 0]\"]}}",
                                   m.crank_length, m.base));
}

class Parallelogram : public testing::TestWithParam<const char*> {};

void expect_parallel_branch(const std::string& text, const char* integrator) {
  Model model = read_model_text("armature: 1\n" + text);
  model.simulate.integrator = integrator;
  const Simulation run = simulated(model);
  const auto crank = run.column("a"), rocker = run.column("b"), speed = run.column("a'");
  const auto energy = run.column("energy.error"), kinetic = run.column("energy.kinetic");
  ASSERT_EQ(crank.size(), 501u);
  for (std::size_t row = 0; row < crank.size(); ++row) {
    ASSERT_LT(std::abs(std::remainder(crank[row] - rocker[row], 2 * M_PI)), 1e-3) << "row " << row;
    ASSERT_LT(std::abs(energy[row]), 1e-3 * kinetic[0]) << "row " << row;
  }
}

TEST_P(Parallelogram, IsRecordedOnItsBranchWithAMasslessRod) {
  for (const Machine& machine : machines) expect_parallel_branch(with_massless_rod(machine), GetParam());
}

TEST_P(Parallelogram, IsRecordedOnItsBranchWithALightRod) {
  for (const Machine& machine : machines) expect_parallel_branch(with_light_rod(machine), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Integrators, Parallelogram, testing::Values("dopri5", "dop853", "cvode_bdf", "radau5"));

// Steps end at all distances from the flat poses. The light rod lets the sine of its loop grow slowly beside them.
TEST(Parallelogram, IsRecordedOnItsBranchAtAnyToleranceOfRadau) {
  for (Machine machine : machines) {
    const double rtol = machine.rtol;
    for (int k = 0; k < 30; k += 3) {
      machine.rtol = rtol * std::pow(10, -1 + k / 10.0);
      SCOPED_TRACE(machine.rtol);
      expect_parallel_branch(with_light_rod(machine), "radau5");
    }
  }
}

// The row of a distance stands alone; where it vanishes, the pose is singular all the same.
TEST(Parallelogram, IsSingularWhereTheRowOfItsMasslessRodVanishes) {
  Model model = read_model_text("armature: 1\n" + with_massless_rod(machines[4]));
  const Simulation run = simulated(model);
  EXPECT_EQ(run.outcome.statistics.smallest_rank, 0);
  const auto crank = run.column("a"), pivot = run.column("smallest_pivot");
  for (std::size_t row = 0; row < crank.size(); ++row) {
    const double sine = std::abs(std::sin(crank[row]));
    EXPECT_GT(pivot[row], 0.4 * sine) << crank[row];
    EXPECT_LT(pivot[row], 1.5 * sine) << crank[row];
  }
}

// Angles of the joint that closes it are known up to whole turns; steps may be longer than these.
void expect_counted_turns(const Machine& machine, const char* integrator) {
  Model model = read_model_text("armature: 1\n" + with_light_rod(machine));
  model.simulate.integrator = integrator;
  model.simulate.end = 20;
  const Simulation run = simulated(model);
  const auto crank = run.column("a"), pin = run.column("d");
  ASSERT_EQ(crank.size(), 2001u);
  EXPECT_GT(crank.back() - crank[0], 10) << integrator;
  for (std::size_t row = 0; row < crank.size(); ++row)
    ASSERT_NEAR(pin[row] - pin[0], crank[row] - crank[0], 1e-2) << integrator << ", row " << row;
  EXPECT_LT(run.outcome.statistics.integrator.steps, 500) << integrator;  // hardly more than accuracy asks for
}

TEST(Parallelogram, CountsTheTurnsOfItsCutJoint) {
  for (const char* integrator : {"dopri5", "dop853", "cvode_bdf", "cvode_adams", "ida"}) {
    expect_counted_turns({0, 0.3, 1, {1, 0, 0.1}, {1, 0, 0.1}, 10, 1e-3}, integrator);           // evenly
    expect_counted_turns({-8.18, 0.3, 1, {1, 0.05, 0.1}, {1, 0, 0.1}, 2.73, 1e-3}, integrator);  // faster inside a step
  }
}

}  // namespace
}  // namespace armature::internal
