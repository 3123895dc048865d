// The properties of motion_properties.hpp for all shipped models that move.
#include "model/findings.hpp"
#include "study/motion_properties.hpp"

namespace armature::internal {
namespace {

class EveryShippedMotion : public testing::TestWithParam<std::string> {
 protected:
  Model model_ = short_motion(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Models, EveryShippedMotion, testing::ValuesIn(all_moving_models()), name_of_test);

TEST_P(EveryShippedMotion, GoesOnFromItsMiddleAsInOneRun) { expect_goes_on_from_its_middle(model_); }
TEST_P(EveryShippedMotion, IsTheSameAsACellOfASweep) { expect_same_as_a_cell_of_a_sweep(model_); }
TEST_P(EveryShippedMotion, IsTheSameByDop853) { expect_same_by_another_integrator(model_, "dop853"); }
TEST_P(EveryShippedMotion, IsTheSameByRadau5) { expect_same_by_another_integrator(model_, "radau5"); }
TEST_P(EveryShippedMotion, IsTheSameByCvode) { expect_same_by_another_integrator(model_, "cvode_bdf"); }
TEST_P(EveryShippedMotion, HasTheResultsOfFineRows) { expect_results_of_fine_rows(model_); }

// What a shipped model is warned of is no error of its numbers.
TEST_P(EveryShippedMotion, IsRightByItsOwnChecks) {
  for (const Finding& finding : simulated(shipped(GetParam())).outcome.findings)
    EXPECT_NE(row_of(finding.code).severity, Severity::error) << finding.sentence;
}

// Where it applies.
TEST(ShippedMotions, AreThoseOfTheEffortsOfInverseDynamics) {
  int moved = 0;
  for (const std::string& name : all_moving_models()) {
    SCOPED_TRACE(name);
    try {
      moved += inverse_then_run_gives_the_motion(shipped(name));
    } catch (const ModelError&) {  // rigid contacts, elements that inverse dynamics refuses
    }
  }
  EXPECT_GE(moved, 12);
}

}  // namespace
}  // namespace armature::internal
