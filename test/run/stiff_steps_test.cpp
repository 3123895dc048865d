// What a run says, and when, where stability limits its steps; and what `auto` does about it.
#include "run/stiff_steps.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/warn.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The crane, whose winding has a resistance of 1 Ohm.
Model crane(const std::string& inductance, const std::string& integrator) {
  Model model = shipped("crane", {{"inductance", inductance}});
  model.simulate.integrator = integrator;
  model.simulate.rtol = 1e-8;
  return model;
}

struct Stopped {
  std::vector<std::string> warnings;
  Outcome outcome;
};

// Goes on until it warns, but not longer than `most` steps.
Stopped stopped_at_its_warning(const Model& model, long most) {
  const Prepared start = prepared(model);
  MemoryRecorder rows;
  Stopped result;
  result.outcome = simulate(
      start, rows, [&](double, long steps) { return result.warnings.empty() && steps < most; },
      [&](const std::string& warning) { result.warnings.push_back(warning); });
  return result;
}

// The electrical time constant is L/R = 1e-12 s: ten seconds of it are 3e12 steps.
TEST(StiffSteps, WarnInTheMiddleOfARunThatWouldNotEnd) {
  for (const char* integrator : {"dopri5", "dop853"}) {
    const Stopped run = stopped_at_its_warning(crane("1e-12", integrator), 20000);
    EXPECT_THAT(run.warnings, ElementsAre(AllOf(HasSubstr("more are needed to reach t = 10 s"),
                                                HasSubstr("they follow motor.current, which settles within 1e-12 s"),
                                                HasSubstr("Try cvode_bdf, or auto"))))
        << integrator;
    EXPECT_EQ(run.outcome.status, RunStatus::stopped);
    EXPECT_EQ(run.outcome.warnings(), run.warnings);
  }
}

// A speed controller of this gain settles within 1e-16 s of inertia.
TEST(StiffSteps, NameAGainThatIsFarTooLarge) {
  Model model = read_model_text(R"yaml(armature: 1
plane: xy
gravity: [0, 0, 0]
bodies: {disc: {mass: 1, inertia: {zz: 1}}}
joints: {turn: {type: revolute, between: [ground, disc]}}
forces: {hold: {type: effort, on: turn, is: "1e16*(sin(t) - turn')"}}
simulate: {end: 10, record: 0.1}
)yaml");
  const Stopped run = stopped_at_its_warning(model, 20000);
  EXPECT_THAT(run.outcome.sentence + (run.warnings.empty() ? "" : run.warnings[0]),
              AllOf(HasSubstr("turn', which settles within 1e-16 s"), HasSubstr("cvode_bdf")));
  model.simulate.integrator = "cvode_bdf";
  EXPECT_NEAR(simulated(model).last("turn'"), std::sin(10.0), 1e-6);
}

// A winding without inductance has its current at once: the limit of a fast one, up to L/R = 1e-12 of the rates.
TEST(StiffSteps, AreNoneOfAnImplicitMethod) {
  const Simulation limit = simulated(crane("0", "dopri5"));
  for (const char* integrator : {"cvode_bdf", "auto", "radau5"}) {
    const Simulation run = simulated(crane("1e-12", integrator));
    EXPECT_LT(run.outcome.statistics.integrator.steps, 5000) << integrator;
    EXPECT_THAT(run.outcome.warnings(), IsEmpty()) << integrator;
    EXPECT_NEAR(run.last("travel"), limit.last("travel"), 1e-5) << integrator;
    EXPECT_NEAR(run.last("swing"), limit.last("swing"), 1e-4) << integrator;
  }
}

TEST(StiffSteps, OfAutoAreListedAsAnEventWithTheirTime) {
  const Simulation run = simulated(crane("1e-12", "auto"));
  ASSERT_THAT(run.outcome.events, testing::SizeIs(1));
  EXPECT_THAT(run.outcome.events[0].what,
              HasSubstr("cvode_bdf continues, because the steps of dopri5 follow motor.current"));
  EXPECT_GT(run.outcome.events[0].t, 0);
  EXPECT_LT(run.outcome.events[0].t, 1e-6);
}

// A machine that is slow beside its winding, but not hopeless: the run ends, and says what made it slow.
TEST(StiffSteps, AreAdvisedAgainstAtTheEnd) {
  const Simulation run = simulated(crane("1e-4", "dopri5"));
  EXPECT_THAT(run.outcome.warnings(), Contains(AllOf(HasSubstr("stability, not accuracy, limits the steps of dopri5"),
                                                     HasSubstr("motor.current, which settles within 0.0001 s"))));
}

// Machines at whose steps nothing is stiff: not a word, and `auto` has the bits of dopri5.
TEST(StiffSteps, AreNotFoundWhereThereAreNone) {
  for (const char* name : {"pendulum", "press", "rrr", "four_bar", "stewart"}) {
    Model model = shipped(name);
    model.simulate.integrator = "dopri5";
    const Simulation alone = simulated(model);
    model.simulate.integrator = "auto";
    const Simulation both = simulated(model);
    for (const std::string& warning : alone.outcome.warnings())
      EXPECT_THAT(warning, testing::Not(HasSubstr("stability")));
    EXPECT_EQ(both.outcome.last.x, alone.outcome.last.x) << name;
    EXPECT_EQ(both.outcome.warnings(), alone.outcome.warnings()) << name;
  }
}

}  // namespace
}  // namespace armature::internal
