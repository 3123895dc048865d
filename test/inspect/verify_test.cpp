// Runs beside their repetitions.
#include "inspect/verify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Verified {
  Outcome outcome;
  Verification verification;
  MemoryRecorder rows;

  std::vector<std::string> repeats() const {
    std::vector<std::string> list;
    for (const auto& repeat : verification.repeats) list.push_back(repeat.how);
    return list;
  }
  double least() const {
    double least = 16;
    for (const auto& channel : verification.channels) least = std::fmin(least, channel.least());
    return least;
  }
};

Verified verified(const Model& model) {
  Verified result;
  std::tie(result.outcome, result.verification) = verify(model, prepared(model), result.rows);
  EXPECT_EQ(result.outcome.status, RunStatus::finished) << result.outcome.sentence;
  return result;
}

TEST(Verify, FindsAPendulumGoodInSevenDigits) {
  const Verified run = verified(read_model_text(R"(armature: 1
gravity: [0, -9.81, 0]
bodies: {bob: {mass: 1, center: [1, 0, 0], inertia: {zz: 0}}}
joints: {theta: {type: revolute, axis: z, between: [ground, bob]}}
simulate: {end: 2, record: 0.01, rtol: 1e-9}
)"));
  EXPECT_THAT(run.repeats(), ElementsAre("rtol 1e-11", "dop853, steps up to 0.005 s"));
  EXPECT_THAT(run.verification.left_out, ElementsAre(HasSubstr("there are no constraints")));
  EXPECT_GE(run.least(), 7);
  EXPECT_FALSE(run.verification.divergence.has_value());
  EXPECT_FALSE(run.verification.doubtful) << run.verification.sentence;
  EXPECT_THAT(run.outcome.warnings(), IsEmpty());
}

// Two rods from rest at the horizontal: chaotic at this energy, with a Lyapunov exponent of the order of 1/s.
TEST(Verify, FindsADoublePendulumChaotic) {
  const Model model = read_model_text(R"(armature: 1
plane: xy
gravity: [0, -9.81, 0]
bodies:
  upper: {mass: 1, center: [0.5, 0, 0], inertia: {rod: 1}}
  lower: {mass: 1, center: [0.5, 0, 0], inertia: {rod: 1}}
joints:
  a: {type: revolute, between: [ground, upper]}
  b: {type: revolute, between: ["upper [1, 0, 0]", lower]}
start: {keep: {a: 60 deg, b: 0}}
simulate: {end: 40, record: 0.02, rtol: 1e-9}
)");
  const Verified run = verified(model);
  ASSERT_TRUE(run.verification.divergence.has_value());
  EXPECT_GT(run.verification.divergence->t, 2);
  EXPECT_GT(run.verification.divergence->rate, 0.5);
  EXPECT_LT(run.verification.divergence->rate, 10);
  EXPECT_THAT(run.outcome.warnings(), Contains(HasSubstr("errors grow by a factor of e every ")));
}

// Events, a motor, a loop: what is located in time is located alike.
TEST(Verify, FindsAPressGoodThroughItsEvents) {
  Model model = shipped("press");
  model.simulate.rtol = 1e-9;
  const Verified run = verified(model);
  EXPECT_THAT(run.repeats(), ElementsAre("rtol 1e-11", "null_space", "dop853, steps up to 0.01 s"));
  EXPECT_GT(run.outcome.events.size(), 0u);
  EXPECT_GE(run.least(), run.verification.promised);
  EXPECT_FALSE(run.verification.doubtful) << run.verification.sentence;
}

// The run with the first reading passes six singular poses.
TEST(Verify, GoesThroughSingularPoses) {
  const Verified run = verified(shipped("rrr"));
  for (const auto& repeat : run.verification.repeats) EXPECT_EQ(repeat.status, "finished") << repeat.sentence;
  EXPECT_FALSE(run.verification.channels.empty());
}

// Euler's method with steps of 10 ms makes a pendulum gain energy: nothing of it is right.
TEST(Verify, WarnsOfFewerDigitsThanPromised) {
  Model model = shipped("pendulum");
  model.simulate.integrator = "euler", model.simulate.step = 0.01;
  const Verified run = verified(model);
  EXPECT_THAT(run.repeats(), ElementsAre("step 0.0025", "dopri5, steps up to 0.01 s"));
  EXPECT_TRUE(run.verification.doubtful);
  EXPECT_THAT(run.outcome.warnings(), Contains(run.verification.sentence));
}

TEST(Verify, RepeatsAStiffRunByImplicitMethods) {
  Model model = shipped("crane", {{"inductance", "1e-9"}});
  model.simulate.integrator = "cvode_bdf", model.simulate.rtol = 1e-8;
  const Verified run = verified(model);
  EXPECT_THAT(run.repeats(), ElementsAre("rtol 1e-10", "ida, steps up to 0.0025 s"));
  for (const auto& repeat : run.verification.repeats) EXPECT_EQ(repeat.status, "finished") << repeat.sentence;
  EXPECT_GE(run.least(), 4);
}

// The rows are those of a run that nobody verifies.
TEST(Verify, LeavesTheRunAsItIs) {
  const Model model = shipped("four_bar");
  const Simulation alone = simulated(model);
  const Verified run = verified(model);
  ASSERT_EQ(run.rows.rows(), alone.record.rows());
  EXPECT_EQ(run.outcome.last.x, alone.outcome.last.x);
}

// A result that only short steps find, as the mean of a fast signal may be.
TEST(Verify, ComparesResultsToo) {
  const Model model = shipped("pendulum");
  MemoryRecorder rows;
  const auto numbers = [](const Model& again, const Progress&) -> ResultNumbers {
    return {{{"mean", again.simulate.max_step ? 0.5 : 0.46}, {"sure", 1.0}}, {}};
  };
  const auto [outcome, verification] = verify(model, prepared(model), rows, {}, {}, numbers);
  ASSERT_EQ(verification.results.size(), 2u);
  EXPECT_EQ(verification.results[0].channel, "mean");
  EXPECT_EQ(verification.results[0].agree[0], 16);
  EXPECT_NEAR(verification.results[0].agree[1], -std::log10(0.04 / 0.46), 1e-12);
  EXPECT_TRUE(verification.doubtful);
  EXPECT_THAT(outcome.warnings(), Contains(HasSubstr("all channels and results agree to 1.1 digits or more (mean)")));
}

// Fixed steps pass over a smooth pulse of 1 N m s, 20 ms wide, and so does a quarter of them.
TEST(Verify, LooksWithShortStepsForWhatTheRunPassesOver) {
  const Verified run = verified(read_model_text(R"(armature: 1
plane: xy
gravity: [0, 0, 0]
bodies: {rotor: {mass: 1, inertia: {zz: 1}}}
joints: {turn: {type: revolute, between: [ground, rotor]}}
forces: {pulse: {type: effort, on: turn, is: exp(-((t - 5.2)/0.02)^2)/0.02/sqrt(pi)}}
simulate: {end: 10 s, record: 10 ms, integrator: rk4, step: 1}
)"));
  EXPECT_LT(run.rows.column("turn'").back(), 1e-9);
  EXPECT_TRUE(run.verification.doubtful);
}

// A run that is stopped stops its repetitions.
TEST(Verify, StopsWithTheRun) {
  Model model = shipped("pendulum");
  model.simulate.end = 1e6;
  MemoryRecorder rows;
  const auto [outcome, verification] = verify(model, prepared(model), rows, [](double t, long) { return t < 1; });
  EXPECT_EQ(outcome.status, RunStatus::stopped);
  for (const auto& repeat : verification.repeats) EXPECT_EQ(repeat.status, "stopped");
}

// The run takes ten steps, each over many periods of its force; the repetition that controls its error takes 1e11.
TEST(Verify, IsStoppedWhereOnlyTheRunHasFinished) {
  const Model model = read_model_text(
      "armature: 1\nplane: xy\ngravity: [0, 0, 0]\nbodies: {rod: {mass: 1, inertia: {zz: 1}}}\n"
      "joints: {a: {type: revolute, between: [ground, rod]}}\nforces: {f: {type: effort, on: a, is: cos(1e6*t)}}\n"
      "simulate: {end: 1e5, record: 1e4, integrator: rk4, step: 1e4}\n");
  MemoryRecorder rows;
  bool ended = false;
  const auto [outcome, verification] = verify(model, prepared(model), rows, [&](double t, long) {
    const bool asked_again = ended;  // by whoever waits for the repetitions
    ended = t > 0.99e5;
    return !asked_again;
  });
  EXPECT_EQ(outcome.status, RunStatus::stopped);
  EXPECT_THAT(outcome.sentence, HasSubstr("the run itself finished"));
}

}  // namespace
}  // namespace armature::internal
