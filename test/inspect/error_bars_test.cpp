// Errors of a run from a repetition beside it.
#include "inspect/error_bars.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "inspect/divergence.hpp"
#include "inspect/repeats.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ErrorBarsOfRuns : public testing::Test {
 protected:
  ErrorBarsOfRuns() { ::setenv("ARMATURE_VERIFY", "always", 1); }
};

TEST_F(ErrorBarsOfRuns, LeaveTheRunAsItIs) {
  const Model model = shipped("four_bar");
  const Simulation alone = simulated(model);
  const Prepared start = prepared(model);
  MemoryRecorder rows;
  ErrorBars bars(model, start);
  const Outcome outcome = simulate(start, bars.beside(rows));
  const auto errors = bars.end(outcome, {});
  ASSERT_TRUE(errors);
  EXPECT_EQ(errors->missing, "");
  EXPECT_EQ(rows.rows(), alone.record.rows());
  EXPECT_EQ(outcome.last.x, alone.outcome.last.x);
}

// The peak of the motor's current, and a result that the caller computes.
TEST_F(ErrorBarsOfRuns, KnowPeaksAndResults) {
  Model model = shipped("crane");
  model.simulate.rtol = 1e-6;
  const Prepared start = prepared(model);
  MemoryRecorder rows;
  ErrorBars bars(model, start, [](const Model& again, const Progress&) -> ResultNumbers {
    EXPECT_EQ(again.simulate.integrator, "dop853");
    EXPECT_DOUBLE_EQ(*again.simulate.rtol, 1e-8);
    EXPECT_DOUBLE_EQ(*again.simulate.max_step, 0.0025);  // half of the rows of crane.yaml
    return {{{"a", 2.5}}, {}};
  });
  const Outcome outcome = simulate(start, bars.beside(rows));
  const auto errors = bars.end(outcome, {{"a", 2.25}});
  ASSERT_TRUE(errors);
  EXPECT_EQ(error_of(errors->results, "a"), 0.25);
  EXPECT_GT(error_of(errors->peaks, "motor.current"), 0);
  EXPECT_LT(error_of(errors->peaks, "motor.current"), 1e-4);
}

TEST_F(ErrorBarsOfRuns, AreNoneOfAMotionThatFails) {
  Model model = shipped("pendulum");
  model.simulate.end = 1e6;
  const Prepared start = prepared(model);
  MemoryRecorder rows;
  ErrorBars bars(model, start);
  const Outcome outcome = simulate(start, bars.beside(rows), [](double t, long) { return t < 1; });
  EXPECT_EQ(outcome.status, RunStatus::stopped);
  EXPECT_FALSE(bars.end(outcome, {}).has_value());
}

TEST_F(ErrorBarsOfRuns, EndWhenNobodyWaits) {
  Model model = shipped("pendulum");
  const Prepared start = prepared(model);
  ErrorBars bars(model, start, [](const Model&, const Progress& going) -> ResultNumbers {
    while (going(0, 0)) {
    }
    throw std::runtime_error("given up");
  });
  MemoryRecorder rows;
  const auto errors = bars.end(simulate(start, bars.beside(rows)), {}, [] { return false; });
  ASSERT_TRUE(errors);
  EXPECT_THAT(errors->missing, HasSubstr("when its time was up"));
}

// A row between the times that two runs find for one impact.
TEST(Lasting, DropsADifferenceInASingleRow) {
  EXPECT_THAT(lasting({0, 1, 0, 0.5, 0.25, 0}), ElementsAre(0, 0, 0, 0.25, 0, 0));
}

TEST(ErrorRepetition, IsAnotherIntegratorWithAHundredthOfTheTolerance) {
  Model model = shipped("pendulum");
  model.simulate.end = 1, model.simulate.record = 0.1, model.simulate.rtol = 1e-7;
  EXPECT_EQ(error_repetition(model).how, "dop853, rtol 1e-09, steps up to 0.05 s");
  model.simulate.integrator = "rk4", model.simulate.step = 0.1;
  EXPECT_EQ(error_repetition(model).how, "dopri5, rtol 1e-09, steps up to 0.05 s");
  model.simulate.integrator = "cvode_bdf", model.simulate.max_step = 0.01;
  EXPECT_EQ(error_repetition(model).integrator, "radau5");
  EXPECT_EQ(*repeated(model, error_repetition(model)).simulate.max_step, 0.01);
}

}  // namespace
}  // namespace armature::internal
