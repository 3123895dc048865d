// What must hold for the motion of every shipped model: its first half second, or what the file asks for if that is less.
#include <gtest/gtest.h>

#include <stdlib.h>

#include "inspect/agreement.hpp"
#include "inspect/error_bars.hpp"
#include "inspect/repeats.hpp"
#include "model/request_error.hpp"
#include "study/motion_results.hpp"
#include "study/sweep.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

// A run promises three digits less than its tolerance (inspect/verify.cpp): those of the models are 1e-8 and below.
constexpr double promised_share = 1e-5;

class EveryMotion : public testing::TestWithParam<std::string> {
 protected:
  EveryMotion() : model_(shipped(GetParam())) {
    ::setenv("ARMATURE_VERIFY", "always", 1);
    model_.simulate.end = std::min(model_.simulate.end, 0.5);
    model_.simulate.record = model_.simulate.end / 50;
  }

  // Of positions and velocities.
  std::vector<double> scales_of(const Simulation& run) const {
    const ChannelScales scales = channel_scales(run.record, run.prepared);
    const Equations& e = run.prepared.system->equations();
    std::vector<double> list;
    for (const auto* coordinates : {&e.positions, &e.velocities})
      for (const Coordinate& coordinate : *coordinates) list.push_back(scales.at(coordinate.name));
    return list;
  }

  Model model_;
};
INSTANTIATE_TEST_SUITE_P(Models, EveryMotion, testing::ValuesIn(shipped_models()),
                         [](const auto& info) { return info.param; });

TEST_P(EveryMotion, GoesOnFromItsMiddleAsInOneRun) {
  const Simulation whole = simulated(model_);
  ASSERT_EQ(whole.outcome.status, RunStatus::finished) << whole.outcome.sentence;
  Model half = model_;
  half.simulate.end /= 2;
  const Simulation first = simulated(half);
  Prepared second = compile(model_);
  assemble_start(second, first.outcome.last);
  const Simulation rest = simulated(std::move(second));
  const std::vector<double> scales = scales_of(whole);
  for (std::size_t k = 0; k < scales.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    EXPECT_NEAR(rest.outcome.last.x[i], whole.outcome.last.x[i], promised_share * scales[k]) << k;
  }
}

// The true motion as radau5 finds it at a hundredth of the tolerance: neither the run nor its repetition uses it.
TEST_P(EveryMotion, HasTheErrorsThatItsRepetitionShows) {
  const Prepared start = prepared(model_);
  ErrorBars bars(model_, start);
  Simulation run{start, {}, {}};
  run.outcome = simulate(start, bars.beside(run.record));
  ASSERT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  const auto errors = bars.end(run.outcome, {});
  ASSERT_TRUE(errors && errors->missing.empty()) << errors->missing;
  const Repeat exact = repeated(model_, start, {.how = "radau5", .integrator = "radau5", .tolerance = 0.01});
  const RepeatedRun reference = run_again(exact.prepared, 1, {});
  if (reference.outcome.status != RunStatus::finished) GTEST_SKIP() << reference.outcome.sentence;
  const std::vector<double> scales = scales_of(run);
  const double own_error = 1000 * exact.prepared.options.rtol;  // of the reference, by the same promise
  for (std::size_t k = 0; k < scales.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    const auto& [name, error] = errors->last[k];
    EXPECT_NEAR(run.outcome.last.x[i], reference.outcome.last.x[i], 2 * error + own_error * scales[k]) << name;
    EXPECT_LE(error, promised_share * scales[k]) << name;
  }
}

// Of the first parameter that can be varied, at its own value.
TEST_P(EveryMotion, IsTheSameAsACellOfASweep) {
  const Simulation run = simulated(model_);
  const std::string q = run.prepared.system->equations().positions.at(0).name;
  const std::vector<std::pair<std::string, std::string>> results{{"last", "final(" + q + ")"}};
  const double alone = MotionResults(model_, results).compute({}).numbers.at(0).second;
  EXPECT_NEAR(alone, run.outcome.last.x[0], promised_share * scales_of(run)[0]);
  for (const Parameter& parameter : model_.parameters) try {
      CellSession session;
      const PointList here{{parameter.name}, {1, {parameter.value}}};
      const SweepResult sweep = sweep_motions(model_, {.over = {}, .results = results, .list = here}, session);
      ASSERT_EQ(sweep.failures.count, 0) << sweep.sentence;
      EXPECT_NEAR(sweep.values.at(0).at(0), alone, promised_share * scales_of(run)[0]) << parameter.name;
      return;
    } catch (const RequestError&) {  // a number of parts, an axis: the next one
    }
}

}  // namespace
}  // namespace armature::internal
