#include "observe/comparison_check.hpp"

#include <gmock/gmock.h>

#include "model/findings.hpp"
#include "prepare/setup.hpp"
#include "support/rotor.hpp"

namespace armature::internal {
namespace {

// Runs release a comparison where nothing holds it; the check does not rely on that. Here the speed has no say before t = 2 s.
TEST(ComparisonCheck, SeesWhatCountsAsStickingAndMovesAway) {
  const Prepared prepared = prepared_text(rotor("if(t < 2, 1, if(shaft' > 0, -1, 1))"));
  const std::unique_ptr<Dynamics> dynamics = make_dynamics(prepared);
  State state = prepared.start;
  state.x[1] = 0.1;
  Eigen::VectorXd roots = Eigen::VectorXd::Zero(2);
  dynamics->evaluator().set(0.5, state.x.data());
  dynamics->evaluator().roots(roots);
  const Eigen::Index of_speed = roots[0] == 0.1 ? 0 : 1;
  ASSERT_EQ(roots[of_speed], 0.1);
  state.comparisons[static_cast<std::size_t>(of_speed)] = ComparisonStatus::sliding, state.w[of_speed] = 0.5;
  dynamics->set_state(state);
  ComparisonCheck check(prepared, *dynamics);
  check.look(0.5, state.x);
  Outcome outcome;
  check.report(outcome);
  EXPECT_EQ(outcome.status, RunStatus::failed);
  EXPECT_THAT(outcome.sentence, testing::HasSubstr("is treated as sticking, but nothing holds it at zero"));
}

// The change at t = 0.31 s is located where the root has a value, however far rows lie apart.
TEST(ComparisonCheck, TellsOfARootThatIsNotANumber) {
  for (const double record : {0.01, 0.5}) {
    Model model = read_model_text("armature: 1\n" + rotor("if(sqrt(t - 0.3) > 0.1, 1, 2)"));
    model.simulate.end = 1, model.simulate.record = record;
    const Outcome outcome = simulated(model).outcome;
    EXPECT_EQ(outcome.status, RunStatus::finished) << outcome.sentence;
    ASSERT_EQ(outcome.findings.size(), 1u);
    EXPECT_EQ(outcome.findings[0].code, FindingCode::undefined_comparison);
    EXPECT_THAT(outcome.findings[0].sentence, testing::HasSubstr("from t = 0 s on"));
    EXPECT_NEAR(outcome.last.x[1], 0.31 * 2 + 0.69, 1e-9);
  }
}

// Nothing looks at it where it has no value.
TEST(ComparisonCheck, IsSilentAboutABranchThatIsNotTaken) {
  Model model = read_model_text("armature: 1\n" + rotor("if(t > 0.3, if(sqrt(t - 0.3) > 0.1, 1, 2), 3)"));
  model.simulate.end = 1;
  EXPECT_THAT(simulated(model).outcome.findings, testing::IsEmpty());
}

}  // namespace
}  // namespace armature::internal
