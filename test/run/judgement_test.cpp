// What a run finds wrong with itself: energy that its tolerance promised to keep, and silence where all is well.

#include <fmt/format.h>
#include <gmock/gmock.h>

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

// One cylinder without gas, a hundred turns at 3000 rpm: the flywheel holds about 2.3 kJ.
const std::string engine = R"(
plane: xy
gravity: [0, -9.81, 0]
bodies:
  crank: {mass: 5, center: [0, 0, 0], inertia: {zz: 0.05}}
  rod: {mass: 0.5, center: [0.05, 0, 0], inertia: {rod: 0.15}}
  piston: {mass: 0.4, inertia: none}
joints:
  a: {type: revolute, between: [ground, crank]}
  b: {type: revolute, between: ["crank [0.04, 0, 0]", rod]}
  c: {type: revolute, between: ["rod [0.15, 0, 0]", piston]}
  s: {type: prismatic, axis: x, between: [ground, piston]}
start: {keep: {a: 1}, near: {b: -1.2, s: 0.17}, speed: {a: 300}}
simulate: {end: 2 s, record: 10 ms}
)";

Outcome engine_by(const std::string& integrator, double rtol) {
  Model model = read_model_text("armature: 1\n" + engine);
  model.simulate.integrator = integrator;
  model.simulate.rtol = rtol;
  return simulated(model).outcome;
}

// Measured: 313 rtol, 3e-4 of the energy in motion. A hundredth of what used to be warned of.
TEST(Judgement, WarnsWhereEnergyMissesWhatTheTolerancePromises) {
  const Outcome outcome = engine_by("cvode_bdf", 1e-6);
  EXPECT_LT(outcome.statistics.energy_error, 1e-3 * outcome.statistics.energy_size);
  ASSERT_THAT(outcome.findings, SizeIs(1));
  EXPECT_EQ(outcome.findings[0].code, FindingCode::accuracy);
  EXPECT_THAT(outcome.warnings().back(), AllOf(HasSubstr("less accurate than its tolerance promises"),
                                               HasSubstr("times rtol (1e-06)"), HasSubstr("Try rtol")));
}

TEST(Judgement, IsSilentWhereTheToleranceHolds) {
  for (const double rtol : {1e-5, 1e-7, 1e-9}) EXPECT_THAT(engine_by("dop853", rtol).findings, IsEmpty()) << rtol;
  EXPECT_THAT(engine_by("dopri5", 1e-8).findings, IsEmpty());
}

TEST(Judgement, TheAdviceHelps) {
  const Outcome coarse = engine_by("dopri5", 1e-5);
  ASSERT_THAT(coarse.findings, SizeIs(1));
  const std::string& sentence = coarse.findings[0].sentence;
  const double advised = std::stod(sentence.substr(sentence.find("Try rtol ") + 9));
  EXPECT_LT(advised, 1e-5);
  EXPECT_LT(engine_by("dopri5", advised).statistics.energy_error, 0.5 * coarse.statistics.energy_error);
}

TEST(Judgement, FindsNothingInTheShippedModels) {
  for (const std::string& name : shipped_models()) {
    Model model = shipped(name);
    model.simulate.end = std::min(model.simulate.end, 2.0);
    for (const Finding& finding : simulated(model).outcome.findings)
      EXPECT_TRUE(finding.code == FindingCode::beam_frequency ||      // five_bar has one element a link on purpose
                  row_of(finding.code).severity == Severity::advice)  // slow, not wrong
          << name << ": " << finding.sentence;
  }
}

// A block slides and sticks on a plate that is shaken: the motion of the plate is prescribed, and the block follows it or is braked by a
// constant force. Only the work of the shaker, an integral, has an error worth speaking of.
TEST(Judgement, IsSilentWhereOnlyTheLedgerErrs) {
  Model plate = read_model_text(R"(armature: 1
gravity: [0, -9.81, 0]
plane: xy
bodies:
  plate: {mass: 5 kg, inertia: none}
  block: {mass: 2 kg, inertia: {zz: 0.01}, points: {l: [-0.05, 0, 0], r: [0.05, 0, 0]}}
joints:
  guide: {type: prismatic, axis: x, between: [ground, plate]}
  pose: {type: planar, between: [ground, block]}
constraints: {shaker: {type: prescribed, zero: guide - 0.02*sin(12*t)}}
forces:
  l: {type: contact, between: [block.l, {plane: plate, normal: y}], restitution: 0, friction: 0.15}
  r: {type: contact, between: [block.r, {plane: plate, normal: y}], restitution: 0, friction: 0.15}
start: {keep: {pose.x: 0, pose.y: 0, pose.angle: 0, guide: 0}}
simulate: {end: 3 s, record: 1 ms}
)");
  for (const double rtol : {1e-5, 1e-7, 1e-8, 1e-9}) {
    plate.simulate.rtol = rtol;
    const Outcome outcome = simulated(plate).outcome;
    EXPECT_GT(outcome.statistics.energy_error, 100 * rtol * outcome.statistics.energy_size) << rtol;
    EXPECT_THAT(outcome.findings, IsEmpty()) << rtol;
  }
}

// The engine loses energy to BDF formulas as before, beside a torque and a damper whose work and heat are in the ledger.
TEST(Judgement, WarnsOfAMotionThatErrsBesideALedger) {
  Model model = read_model_text("armature: 1\n" + engine +
                                "forces: {drive: {type: effort, on: a, is: 20*sin(t)}, "
                                "brake: {type: torsion_spring, on: a, damping: 1e-4}}\n");
  model.simulate.integrator = "cvode_bdf", model.simulate.rtol = 1e-6;
  const Outcome fine = simulated(model).outcome;
  ASSERT_THAT(fine.findings, SizeIs(1));
  EXPECT_EQ(fine.findings[0].code, FindingCode::accuracy);
  model.simulate.rtol = 3e-4;  // measured: 2.7 % of the energy in motion
  EXPECT_THAT(simulated(model).outcome.warnings(), Contains(HasSubstr("do not trust the motion")));
}

// At an equilibrium nothing is in motion, and what is left of the balance is round-off of the potential.
TEST(Judgement, IsSilentAboutRoundOffAtAnEquilibrium) {
  for (const char* spring : {"", "spring: {stiffness: 3, rest: 0.7}, "})
    for (const char* gravity : {"[0, -9.81, 0]", "[0, -9810, 0]", "[0, -0.1, 0]"}) {
      const Simulation run = simulated_text(fmt::format(R"(
plane: xy
gravity: {}
bodies:
  A: {{mass: 1, center: [0.15, 0, 0], inertia: {{rod: 0.3}}}}
  B: {{mass: 1.3, center: [0.5, 0.03, 0], inertia: {{rod: 1}}}}
  C: {{mass: 0.9, center: [0.4, 0, 0], inertia: {{rod: 0.8}}}}
joints:
  jA: {{type: revolute, between: [ground, A], {}damping: 0.01}}
  jB: {{type: revolute, between: ["A [0.3, 0, 0]", B]}}
  jC: {{type: revolute, between: ["ground [1, 0, 0]", C]}}
  jD: {{type: revolute, between: ["B [1, 0, 0]", "C [0.8, 0, 0]"]}}
start: equilibrium
simulate: {{end: 20 s, record: 0.1 s}}
)",
                                                        gravity, spring));
      EXPECT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
      EXPECT_THAT(run.outcome.warnings(), IsEmpty()) << gravity << " " << spring;
    }
}

TEST(Judgement, IsSilentAboutRoundOffOfAMassOnASpring) {
  const Simulation run = simulated_text(R"(
gravity: [0, -9.81, 0]
bodies: {m: {mass: 1.7}}
joints: {y: {type: prismatic, axis: y, between: [ground, m], spring: {stiffness: 1234.5, rest: 0.3}}}
start: equilibrium
simulate: {end: 5 s, record: 0.01 s}
)");
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-12);
  EXPECT_THAT(run.outcome.warnings(), IsEmpty());
}

// A small motion is measured by itself: a micrometre beside that equilibrium, with steps of a third of its period.
TEST(Judgement, WarnsOfASmallMotionThatIsWrong) {
  const Simulation run = simulated_text(R"(
gravity: [0, -9.81, 0]
bodies: {m: {mass: 1.7}}
joints: {y: {type: prismatic, axis: y, between: [ground, m], spring: {stiffness: 1234.5, rest: 0.3}}}
start: {keep: {y: "0.3 - 1.7*9.81/1234.5 + 1e-6"}}
simulate: {end: 5 s, record: 0.01 s, integrator: rk4, step: 0.07 s}
)");
  EXPECT_THAT(run.outcome.warnings(), Contains(HasSubstr("do not trust the motion")));
}

// Flat, the parallelogram leaves the rocker's speed open: it begins at rest, and the first projection sets it in motion.
TEST(Judgement, NamesEnergyThatStabilizationAdds) {
  const Simulation run = simulated_text(parallelogram + R"(
constraints: {drive: {type: prescribed, zero: a - 2*t}}
start: {near: {a: 0, d: 0}}
simulate: {end: 1 s, record: 10 ms}
)");
  EXPECT_GT(run.outcome.statistics.stabilization_work, 0.01 * run.outcome.statistics.energy_size);
  EXPECT_THAT(run.outcome.warnings(), Contains(HasSubstr("stabilization adds or removes")));
}

}  // namespace
}  // namespace armature::internal
