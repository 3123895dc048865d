#include "inverse/pose_continuation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "inverse/inverted.hpp"

namespace armature::internal {
namespace {

struct Continued {
  explicit Continued(const std::string& more)
      : start(prepared_text(driven_crank(more))), evaluator(start.system), poses(evaluator, start.start) {}
  double position(const std::string& name) const {
    const auto& positions = start.system->equations().positions;
    return poses.state().x[std::ranges::find(positions, name, &Coordinate::name) - positions.begin()];
  }
  Prepared start;
  SystemEvaluator evaluator;
  PoseContinuation poses;
};

// One call over three turns: the pose stays on its branch.
TEST(PoseContinuation, FollowsItsBranchOverWholeTurns) {
  Continued run("constraints: {drive: {type: prescribed, zero: crank - t}}\nstart: {near: {slide: 0.7}}\n");
  ASSERT_TRUE(run.poses.advance(6 * M_PI + 1));
  EXPECT_NEAR(run.position("slide"), 0.2 * std::cos(1) + std::sqrt(0.25 - std::pow(0.2 * std::sin(1), 2)), 1e-10);
  EXPECT_NEAR(run.position("crank"), 6 * M_PI + 1, 1e-10);
  EXPECT_TRUE(run.poses.choices().empty());
}

TEST(PoseContinuation, StopsAtTheLimitOfTheReachAndNamesTheLoop) {
  Continued run("constraints: {drive: {type: prescribed, zero: slide - 0.6 - 0.1*t}}\nstart: {near: {crank: 0.9}}\n");
  EXPECT_FALSE(run.poses.advance(2));
  EXPECT_NEAR(run.poses.state().t, 1, 1e-6);
  EXPECT_NEAR(run.position("slide"), 0.7, 1e-6);
  EXPECT_NE(run.poses.open_loop(2), "");
}

// Out to 0.7 m and back: at the dead center both branches meet, and the machine goes on along one of them.
TEST(PoseContinuation, LeavesADeadCenter) {
  Continued run(
      "constraints: {drive: {type: prescribed, zero: \"slide - 0.7 + 0.1*(t - 1)^2\"}}\nstart: {near: {crank: 0.9}}\n");
  ASSERT_TRUE(run.poses.advance(2));
  const double c = (0.04 + 0.36 - 0.25) / (2 * 0.2 * 0.6);  // of the triangle 0.2, 0.5, 0.6
  EXPECT_NEAR(std::abs(run.position("crank")), std::acos(c), 1e-8);
}

}  // namespace
}  // namespace armature::internal
