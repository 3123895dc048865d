#include "observe/comparison_check.hpp"

#include <gmock/gmock.h>

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

}  // namespace
}  // namespace armature::internal
