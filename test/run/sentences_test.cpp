// Sentences that docs/trust.md explains, word by word, each from a model that provokes it.

#include <gmock/gmock.h>

#include "model/findings.hpp"
#include "support/rotor.hpp"

namespace armature::internal {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

Simulation ran(const std::string& text) { return simulated(prepared_text(text)); }

// The bob of a pendulum flies and is held by a rod, whose length nothing corrects.
std::string uncorrected(const std::string& simulate) {
  return "plane: xy\ngravity: [0, -9.81, 0]\n"
         "bodies: {bob: {mass: 1, inertia: {zz: 0.01}}}\n"
         "joints: {fly: {type: planar, between: [ground, bob]}}\n"
         "constraints: {rod: {type: distance, between: [ground, bob], length: 1 m}}\n"
         "start: {keep: {fly.x: 1 m, fly.angle: 0}}\n"
         "simulate: {record: 10 ms, stabilization: none, " +
         simulate + "}\n";
}

// By more than 100 rtol, and less than the 1e-3 at which a run fails.
TEST(Sentences, TheConstraintsDrift) {
  const Simulation run = ran(uncorrected("end: 40 s, rtol: 4e-6"));
  const std::string expected =
      "the constraints drift: rod (the distance) by 0.0013 m at t = 40 s, which is 0.00095 of the size of its "
      "constraint; use stabilization: projection, or a smaller tolerance";
  EXPECT_EQ(run.outcome.status, RunStatus::finished);
  EXPECT_EQ(run.outcome.sentence, "reached t = 40 s");
  ASSERT_THAT(run.outcome.findings, Not(IsEmpty()));
  EXPECT_EQ(run.outcome.findings.back().code, FindingCode::drift);
  EXPECT_EQ(run.outcome.findings.back().sentence, expected);
  EXPECT_THAT(run.outcome.warnings(), Contains(expected));
}

// A tangent has no bounds where it may pass a pole: the step is searched at 32 places, and the outcome lasts for 0.2 ms. The row at
// 0.51 s falls into it.
TEST(Sentences, AChangeWasMissed) {
  const std::string torque = "if((t - 0.51)^2 + 1e-40*tan(1e9*t) < 1e-8, 1, 0)";
  const Simulation run = ran(rotor(torque, "end: 1, record: 0.01"));
  EXPECT_EQ(run.outcome.status, RunStatus::failed);
  EXPECT_EQ(run.outcome.sentence,
            "at t = 0.51 s condition '" + torque.substr(3, torque.find(", 1") - 3) +
                "' (line 7) does not have the outcome that its formula gives there: a change was missed, and the "
                "motion is already wrong before that. Set max_step to less than the time for which the outcome "
                "lasts");
  const Simulation advised = ran(rotor(torque, "end: 1, record: 0.01, max_step: 1e-4"));
  EXPECT_EQ(advised.outcome.status, RunStatus::finished) << advised.outcome.sentence;
  EXPECT_NEAR(advised.last("shaft'"), 2e-4, 1e-10);
}

// A change every 3e-13 of the run: less than that by which a run has to get on. And every 3e-12, at which pace 3e11 changes would
// still follow.
TEST(Sentences, ComparisonsChangeWithoutEnd) {
  const auto sentence = [](const std::string& formula, const std::string& options, const std::string& advice) {
    const Simulation run = ran(rotor(formula, "rtol: 1e-8, " + options));
    EXPECT_EQ(run.outcome.status, RunStatus::failed);
    EXPECT_GT(run.outcome.last.t, 0);
    EXPECT_LT(run.outcome.last.t, 1e-6 * run.prepared.options.end);
    for (const std::string& warning : run.outcome.warnings())  // when, not where a step would have ended
      EXPECT_THAT(warning, testing::MatchesRegex("at t = [0-9.]+e-0[0-9] s the steps are .*"));
    EXPECT_EQ(run.outcome.sentence,
              fmt::format("comparisons keep changing at t = {:.10g} s, the last in condition '{}' "
                          "(line 7); make the formula smooth there, or try {}",
                          run.outcome.last.t, formula.substr(3, formula.find(", ") - 3), advice));
  };
  const std::string tolerance = "a larger tolerance (rtol is 1e-08)";
  sentence("if(sin(1e13*t) > 0, 1, -1)", "end: 1", tolerance);
  sentence("if(sin(1e13*t) > 0, 1, -1)", "end: 1, integrator: dop853", "dopri5");
  sentence("if(sin(1e10*t) > 0, 1, -1)", "end: 1000", tolerance);
  sentence("if(sin(1e12*t) > 0, 1, -1)", "end: 1", tolerance);
  sentence("if(sin(1e9*t) > 0, 1, -1)", "end: 1000", tolerance);
}

// From rest the rotor swings about zero within 1e-11 rad. A pulse as fast moves it, and nothing is wrong with that.
TEST(Sentences, RoundOffDecidesTheMotion) {
  const std::string torque = "if(shaft > 0, -1, 1)*if(shaft' > 0, 2, 1)";
  const Simulation run = ran(rotor(torque, "end: 0.01, record: 1e-3"));
  ASSERT_THAT(run.outcome.findings, SizeIs(1));
  EXPECT_EQ(run.outcome.findings[0].code, FindingCode::chattering);
  const std::string& sentence = run.outcome.findings[0].sentence;
  EXPECT_THAT(sentence, testing::StartsWith("up to t = 0.00"));
  EXPECT_THAT(sentence,
              testing::EndsWith("' (line 7) has changed 1000 times in a row although what it compares is zero to "
                                "round-off, which therefore decides the motion; add friction or damping that brings it "
                                "to rest, or make the formula smooth at zero"));
  EXPECT_THAT(run.outcome.warnings(), ElementsAre(sentence));
  EXPECT_THAT(ran(rotor("if(sin(1e6*t) > 0, 1, -1)", "end: 0.01, record: 1e-3")).outcome.findings, IsEmpty());
}

TEST(Sentences, FixedStepsTakeComparisonsAsTheyCome) {
  for (const std::string integrator : {"rk4", "euler"}) {
    const Simulation run = ran(rotor("if(t > 0.5, 1, 0)", "end: 1, step: 1e-3, integrator: " + integrator));
    const std::string expected = integrator +
                                 " does not locate the times at which comparisons change; an "
                                 "error-controlled integrator (dopri5) stops at each change";
    EXPECT_EQ(run.outcome.status, RunStatus::finished);
    ASSERT_THAT(run.outcome.findings, SizeIs(1));
    EXPECT_EQ(run.outcome.findings[0].code, FindingCode::comparison);
    EXPECT_EQ(run.outcome.findings[0].sentence, expected);
    EXPECT_THAT(run.outcome.warnings(), ElementsAre(expected));
  }
  EXPECT_THAT(ran(rotor("sin(t)", "end: 1, step: 1e-3, integrator: rk4")).outcome.findings, IsEmpty());
  EXPECT_THAT(ran(rotor("if(t > 0.5, 1, 0)", "end: 1")).outcome.findings, IsEmpty());
}

}  // namespace
}  // namespace armature::internal
