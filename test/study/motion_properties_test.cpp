// The properties of motion_properties.hpp, for the models of models/ itself; the slow test asks them of all.
#include "study/motion_properties.hpp"

#include <stdlib.h>

#include "inspect/error_bars.hpp"

namespace armature::internal {
namespace {

class EveryMotion : public testing::TestWithParam<std::string> {
 protected:
  EveryMotion() : model_(short_motion(GetParam())) { ::setenv("ARMATURE_VERIFY", "always", 1); }
  Model model_;
};
INSTANTIATE_TEST_SUITE_P(Models, EveryMotion, testing::ValuesIn(shipped_models()), name_of_test);

TEST_P(EveryMotion, GoesOnFromItsMiddleAsInOneRun) { expect_goes_on_from_its_middle(model_); }
TEST_P(EveryMotion, IsTheSameAsACellOfASweep) { expect_same_as_a_cell_of_a_sweep(model_); }

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

class SomeMotion : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Models, SomeMotion, testing::Values("four_bar", "slider_crank_equal", "two_joint_arm"),
                         name_of_test);

TEST_P(SomeMotion, HasTheResultsOfFineRows) { expect_results_of_fine_rows(short_motion(GetParam())); }

// Without drives, whose own laws would be in the way.
TEST(SomeMotions, AreThoseOfTheEffortsOfInverseDynamics) {
  for (const char* name : {"four_bar", "slider_crank_equal"})
    EXPECT_TRUE(inverse_then_run_gives_the_motion(shipped(name))) << name;
}

}  // namespace
}  // namespace armature::internal
