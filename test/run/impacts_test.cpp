// Prescribed motions whose formulas jump: a jump of position ends the run, a jump of velocity is an impact.

#include <gmock/gmock.h>

#include "model/findings.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string rod_driven_by(const std::string& zero) {
  return R"(
plane: xy
gravity: [0, 0, 0]
bodies: {rod: {mass: 1, center: [0.5, 0, 0], inertia: {rod: 1}}}
joints: {hinge: {type: revolute, between: [ground, rod]}}
constraints: {drive: {type: prescribed, zero: ")" +
         zero + R"("}}
simulate: {end: 0.1 s, record: 10 ms}
)";
}

// 1/2 (1/3 kg m^2) (1 rad/s)^2
TEST(Impacts, AVelocityThatJumpsIsAnImpactUnderItsOwnName) {
  for (const char* integrator : {"dopri5", "dop853", "radau5", "cvode_bdf"}) {
    Model model = read_model_text("armature: 1\n" + rod_driven_by("hinge - max(0, t - 0.05)"));
    model.simulate.integrator = integrator;
    const Simulation run = simulated(model);
    EXPECT_NEAR(run.last("work.impact"), 1.0 / 6, 1e-9) << integrator;
    EXPECT_NEAR(run.last("work.stabilization"), 0, 1e-9) << integrator;
    EXPECT_NEAR(run.last("hinge"), 0.05, 1e-9) << integrator;
    EXPECT_LT(run.outcome.statistics.energy_error, 1e-9) << integrator;
    ASSERT_THAT(run.outcome.findings, SizeIs(1)) << integrator;
    EXPECT_EQ(run.outcome.findings[0].code, FindingCode::impact);
    EXPECT_THAT(run.outcome.warnings().back(),
                AllOf(HasSubstr("drive"), HasSubstr("t = 0.05 s"), HasSubstr("0.1667 J")));
    EXPECT_THAT(run.outcome.events.back().what, HasSubstr("velocity that drive prescribes jumps by 1"));
  }
}

TEST(Impacts, AMotionThatIsOnlyPutTogetherFromPiecesIsNone) {
  const Simulation run = simulated_text(rod_driven_by("hinge - if(t > 0.05, (t - 0.05)^2, 0)"));
  EXPECT_THAT(run.outcome.findings, IsEmpty());
  EXPECT_EQ(run.last("work.impact"), 0);
}

TEST(Impacts, APositionThatJumpsEndsTheRunThere) {
  const Simulation run = simulated(prepared_text(rod_driven_by("hinge - if(t > 0.05, 0.3, 0)")));
  EXPECT_EQ(run.outcome.status, RunStatus::failed);
  EXPECT_THAT(run.outcome.sentence, AllOf(HasSubstr("drive"), HasSubstr("jumps by 0.3"), HasSubstr("t = 0.05")));
  EXPECT_NEAR(run.outcome.last.t, 0.05, 1e-9);
  EXPECT_EQ(run.record.rows(), 6);
}

// Fixed steps do not locate the jump; the balance of energy shows it.
TEST(Impacts, FixedStepsWarnToo) {
  Model model = read_model_text("armature: 1\n" + rod_driven_by("hinge - max(0, t - 0.05)"));
  model.simulate.integrator = "rk4";
  model.simulate.step = 1e-3;
  const Simulation run = simulated(model);
  ASSERT_THAT(run.outcome.findings, SizeIs(2));
  EXPECT_EQ(run.outcome.findings[0].code, FindingCode::comparison);
  EXPECT_EQ(run.outcome.findings[1].code, FindingCode::stabilization);
}

// Two rods in a loop: the impulse acts on all that the drive moves.
TEST(Impacts, TheImpulseIsSharedByTheLoop) {
  const Simulation run = simulated_text(R"(
plane: xy
gravity: [0, 0, 0]
bodies:
  crank: {mass: 1, center: [0.1, 0, 0], inertia: {rod: 0.2}}
  rod: {mass: 1, center: [0.25, 0, 0], inertia: {rod: 0.5}}
  slider: {mass: 2, inertia: none}
joints:
  a: {type: revolute, between: [ground, crank]}
  b: {type: revolute, between: ["crank [0.2, 0, 0]", rod]}
  c: {type: revolute, between: ["rod [0.5, 0, 0]", slider]}
  s: {type: prismatic, axis: x, between: [ground, slider]}
constraints: {drive: {type: prescribed, zero: 'a - 1 - 3*max(0, t - 0.5)'}}
start: {near: {a: 1, b: -1.3, s: 0.6}}
simulate: {end: 1 s, record: 10 ms}
)");
  // it stands before, and the drive leaves no freedom: what moves just after is the impulse's
  EXPECT_NEAR(run.last("work.impact"), run.last("energy.kinetic") - run.last("work.constraints"), 1e-7);
  EXPECT_GT(run.last("work.impact"), 0.01);
}

}  // namespace
}  // namespace armature::internal
