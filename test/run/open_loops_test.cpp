// A loop that opens is never a result: rows that are wrongly treated as redundant, poses beyond the reach, drift that matters.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "dynamics/redundancy.hpp"
#include "inverse/inverse.hpp"
#include "inverse/kinematics.hpp"
#include "model/findings.hpp"
#include "support/four_bar_models.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string flat_parallelogram = parallelogram + R"(
start: {near: {a: 0, d: 0}}
simulate: {end: 5 s, record: 10 ms}
)";

double largest(const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }

// Flat, a row of the loop has no slope, and the drive leaves no freedom to walk away from the pose.
TEST(OpenLoops, AFlatParallelogramThatIsDrivenKeepsItsRows) {
  Simulation run =
      simulated(prepared_text(flat_parallelogram + "constraints: {drive: {type: prescribed, zero: \"a - 2*t\"}}\n"));
  EXPECT_THAT(run.prepared.system->options().independent_rows, SizeIs(3));
  if (run.outcome.status == RunStatus::finished)
    EXPECT_LT(largest(run.column("constraint.position")), 1e-9);
  else
    EXPECT_THAT(run.outcome.sentence, HasSubstr("t = "));
  EXPECT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
}

TEST(OpenLoops, ADriveThatBeginsToMoveLaterCountsToo) {
  const Prepared start = prepared_text(
      flat_parallelogram + "constraints: {drive: {type: prescribed, zero: \"a - quintic(t, 1 s, 3 s)\"}}\n");
  EXPECT_THAT(start.system->options().independent_rows, SizeIs(3));
}

// As a faulty search would leave it: the loop's row along x is dropped.
TEST(OpenLoops, ADroppedRowThatOpensFailsTheRunByName) {
  Prepared start = prepared_text(flat_parallelogram + "constraints: {drive: {type: prescribed, zero: \"a - 2*t\"}}\n");
  SystemOptions options = start.system->options();
  std::erase_if(options.independent_rows,
                [&](int row) { return start.system->equations().rows[row].direction == "translation along x"; });
  ASSERT_THAT(options.independent_rows, SizeIs(2));
  start.system = std::make_shared<const System>(start.system->shared_equations(), options);
  const Simulation run = simulated(std::move(start));
  EXPECT_EQ(run.outcome.status, RunStatus::failed);
  EXPECT_THAT(run.outcome.sentence,
              AllOf(HasSubstr("c (translation along x)"), HasSubstr("treated as redundant"), HasSubstr("t = ")));
  ASSERT_THAT(run.outcome.findings, SizeIs(2));  // the first: the start is a singular pose
  EXPECT_EQ(run.outcome.findings[1].code, FindingCode::constraint);
  EXPECT_EQ(run.record.rows(), 501);  // nothing that was computed is lost
}

// Explicit Euler without stabilization: the pendulum's rod grows.
std::string pendulum_on_a_rod(const std::string& unit, double length) {
  return fmt::format(R"(
plane: xy
gravity: [0, {0}, 0]
bodies: {{bob: {{mass: 1, inertia: {{zz: {1}}}}}}}
joints: {{fly: {{type: planar, between: [ground, bob]}}}}
constraints: {{rod: {{type: distance, between: [ground, bob], length: {2} {3}}}}}
start: {{keep: {{fly.x: {2} {3}, fly.angle: 0}}}}
simulate: {{end: 2 s, record: 10 ms, integrator: euler, step: 10 ms, stabilization: none}}
)",
                     -9.81 * length, 0.01 * length * length, unit == "mm" ? 1000 * length : length, unit);
}

TEST(OpenLoops, DriftThatMattersIsAFailureInMachinesOfAnySize) {
  for (const double length : {1e-3, 1.0, 10.0}) {
    Model model = read_model_text("armature: 1\n" + pendulum_on_a_rod("m", length));
    const Simulation coarse = simulated(prepared(model));
    EXPECT_EQ(coarse.outcome.status, RunStatus::failed) << length;
    EXPECT_THAT(coarse.outcome.sentence, AllOf(HasSubstr("rod"), HasSubstr("stabilization: projection"))) << length;
    model.simulate.step = 1e-5;
    const Simulation fine = simulated(prepared(model));
    EXPECT_EQ(fine.outcome.status, RunStatus::finished) << length << ": " << fine.outcome.sentence;
    EXPECT_NEAR(fine.outcome.statistics.gap.share, 1.39198e-4, 1e-9) << length;  // the same number in every size
  }
}

const std::string stretching_four_bar = short_four_bar + R"(
start: {near: {A: 30 deg, D: 150 deg}}
simulate: {end: 2 s, record: 10 ms}
)";

// Coupler and rocker are stretched, 0.45 m: cos A = (0.3^2 + 0.5^2 - 0.45^2) / (2 0.3 0.5).
const double reach = std::acos((0.09 + 0.25 - 0.2025) / 0.3);

struct Moved {
  MemoryRecorder record;
  Outcome outcome;
};

Moved moved(const std::string& text, const std::string& name, const std::string& formula) {
  Prepared start = prepared(driven(read_model_text("armature: 1\n" + text), name, formula));
  Moved result;
  result.outcome = move(start, result.record);
  return result;
}

// The file keeps the crank at 60 deg and wants the rocker near 100 deg.
TEST(Kinematics, ReportsMovesFromWhatTheFileSays) {
  const auto notes = [](const std::string& formula) {
    return prepared(driven(shipped("four_bar"), "crank_angle", formula)).notes;
  };
  const std::string purpose = "to close the loops and follow the prescribed motion, assembly moved ";
  EXPECT_THAT(notes("60 deg + 0.1*t"), Contains(purpose + "B by -0.542 rad, rocker_angle by -0.112 rad"));
  EXPECT_THAT(notes("30 deg + 0.1*t"),
              Contains(purpose + "crank_angle by -0.524 rad, B by 0.175 rad, rocker_angle by -0.168 rad"));
}

TEST(Kinematics, EndsAtTheLimitOfTheReach) {
  const Moved run = moved(stretching_four_bar, "A", "0.5 + 0.3*t");
  EXPECT_EQ(run.outcome.status, RunStatus::failed);
  EXPECT_THAT(run.outcome.sentence, HasSubstr("the prescribed motion cannot be followed past t = 1.98"));
  EXPECT_NEAR(run.outcome.last.t, (reach - 0.5) / 0.3, 1e-8);
  EXPECT_EQ(run.record.rows(), 199);  // 0 … 1.98 s
  EXPECT_LT(largest(run.record.column("constraint.position")), 1e-9);
}

// A row in which the crank turns back before the limit is no limit.
TEST(Kinematics, GoesOnWhereTheReachIsNotLeft) {
  const Moved run = moved(stretching_four_bar, "A", fmt::format("{:.17g} - 0.5*(t - 1)^2", reach - 1e-6));
  EXPECT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  EXPECT_LT(largest(run.record.column("constraint.position")), 1e-9);
}

const std::string dead_centre = R"(
plane: xy
gravity: [0, -9.81, 0]
bodies:
  crank: {mass: 1, center: [0.1, 0, 0], inertia: {rod: 0.2}}
  rod: {mass: 1, center: [0.25, 0, 0], inertia: {rod: 0.5}}
  slider: {mass: 1, inertia: none}
joints:
  a: {type: revolute, between: [ground, crank]}
  b: {type: revolute, between: ["crank [0.2, 0, 0]", rod]}
  c: {type: revolute, between: ["rod [0.5, 0, 0]", slider]}
  s: {type: prismatic, axis: x, between: [ground, slider]}
start: {near: {a: 0, b: 0, s: 0.7}}
simulate: {end: 1, record: 0.01}
)";

// s = 0.2 cos a + sqrt(0.25 - 0.04 sin^2 a)
TEST(Kinematics, LeavesADeadCentreOnOneOfItsBranchesAndTellsWhich) {
  const Moved run = moved(dead_centre, "s", "0.5 + 0.2*cos(t)");
  ASSERT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  EXPECT_LT(largest(run.record.column("constraint.position")), 1e-8);
  const auto a = run.record.column("a"), s = run.record.column("s");
  for (std::size_t i = 1; i < a.size(); ++i) {
    EXPECT_NEAR(s[i], 0.2 * std::cos(a[i]) + std::sqrt(0.25 - 0.04 * std::pow(std::sin(a[i]), 2)), 1e-9);
    EXPECT_GT(std::abs(a[i]), std::abs(a[i - 1])) << "row " << i;  // it does not stand still
  }
  ASSERT_THAT(run.outcome.warnings(), SizeIs(1));
  EXPECT_THAT(run.outcome.warnings()[0], AllOf(HasSubstr("singular"), HasSubstr("several motions"), HasSubstr("a ")));
}

TEST(Kinematics, ASliderThatIsPulledBeyondItsDeadCentreEndsThere) {
  const Moved run = moved(dead_centre, "s", "0.6 + 0.2*t");
  EXPECT_EQ(run.outcome.status, RunStatus::failed);
  EXPECT_NEAR(run.outcome.last.t, 0.5, 1e-8);
}

TEST(Inverse, EndsAtTheLimitOfTheReach) {
  const Model model = read_model_text("armature: 1\n" + stretching_four_bar +
                                      "inverse: {motion: {A: \"0.5 + 0.3*t\"}, actuators: [A]}\n");
  Prepared start = compile_inverse(model);
  assemble_start(start);
  ASSERT_EQ(start.failure, "");
  MemoryRecorder record;
  const Outcome outcome = inverse(model, start, record);
  EXPECT_EQ(outcome.status, RunStatus::failed);
  EXPECT_THAT(outcome.sentence, HasSubstr("t = 1.98"));
  EXPECT_LE(record.rows(), 199);
  EXPECT_GT(record.rows(), 190);
}

}  // namespace
}  // namespace armature::internal
