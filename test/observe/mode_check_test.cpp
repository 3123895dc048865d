#include "observe/mode_check.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "prepare/setup.hpp"
#include "support/rotor.hpp"

namespace armature::internal {
namespace {

// Runs release a comparison where nothing holds it; the check does not rely on that. Here the speed has no say before t = 2 s.
TEST(ModeCheck, SeesWhatCountsAsStickingAndMovesAway) {
  const Prepared prepared = prepared_text(rotor("if(t < 2, 1, if(shaft' > 0, -1, 1))"));
  const std::unique_ptr<Dynamics> dynamics = make_dynamics(prepared);
  State state = prepared.start;
  state.x[1] = 0.1;
  const auto of_speed = std::ranges::find(state.mode, ModeStatus::below);  // t < 2 is true
  ASSERT_NE(of_speed, state.mode.end());
  *of_speed = ModeStatus::sliding, state.w[of_speed - state.mode.begin()] = 0.5;
  dynamics->set_state(state);
  ModeCheck check(prepared, *dynamics);
  check.look(0.5, state.x);
  Outcome outcome;
  check.report(outcome);
  EXPECT_EQ(outcome.status, RunStatus::failed);
  EXPECT_THAT(outcome.sentence, testing::HasSubstr("counts as sticking, but nothing holds it at zero"));
}

}  // namespace
}  // namespace armature::internal
