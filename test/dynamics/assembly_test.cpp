#include "dynamics/assembly.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "dynamics/equation_systems.hpp"
#include "dynamics/hand_systems.hpp"

namespace armature::internal {
namespace {

using Eigen::VectorXd;

AssemblyResult assembled(const hand::Writer& writer) {
  const auto system = std::make_shared<const System>(writer.e);
  SystemEvaluator evaluator(system);
  return assemble(evaluator, system->initial_state());
}

// The robot with its cranks kept and a rough guess of the platform: the published pose comes out.
hand::Writer guessed_robot() {
  hand::Writer w = hand::rrr();
  w.e->q_initial = {0, 0, 0, 0, 0, 0};
  const double start[3] = {-0.1259, 1.3727, 3.2675};
  for (int i = 0; i < 3; ++i) w.keep("theta" + std::to_string(i + 1), w.e->q[i] - start[i]);
  w.near("x", w.e->q[3] - 0.6), w.near("y", w.e->q[4] - 0.6), w.near("phi", w.e->q[5]);
  return w;
}

TEST(Assembly, FindsThePublishedPoseOfTheRobot) {
  const AssemblyResult result = assembled(guessed_robot());
  ASSERT_TRUE(result.success) << result.sentence;
  EXPECT_EQ(result.attempts, 1);
  EXPECT_LT((result.state.x.head(6) - hand::rrr_start()).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT(hand::rrr(result.state.x.head(6), VectorXd::Zero(6)).phi.cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_NEAR(result.moved[3], 0.5936271468069613 - 0.6, 1e-9);
  EXPECT_NEAR(result.moved[0], 0, 1e-14);
}

TEST(Assembly, NamesTheLoopThatStaysOpenAndByHowMuch) {
  // a rod of 0.5 m between a fixed pin and a slider that is kept 0.8 m away from it
  hand::Writer w;
  w.add("angle", Coordinate::Kind::angle, 0.3);
  w.add("slider", Coordinate::Kind::length, 0.2);
  w.size();
  w.inertia(0, 0, 1.0), w.inertia(1, 1, 1.0);
  w.row("pin", "x", 0.5 * cos(w.e->q[0]) - w.e->q[1]);
  w.row("pin", "y", 0.5 * sin(w.e->q[0]));
  w.keep("slider", w.e->q[1] - 0.8, "m");
  const AssemblyResult result = assembled(w);
  EXPECT_FALSE(result.success);
  ASSERT_EQ(result.open.size(), 1u);
  EXPECT_EQ(result.open[0].name, "pin");
  EXPECT_NEAR(result.open[0].gap, 0.3, 1e-6);
  EXPECT_EQ(result.sentence,
            "the loops do not close: pin by 300 mm stays open (against slider); change the lengths, or the kept start "
            "values");
}

TEST(Assembly, NamesKeptValuesThatContradictEachOther) {
  hand::Writer w = hand::pendulum();
  w.keep("x", w.e->q[0] + 1.0, "m"), w.keep("again", w.e->q[0] + 0.9, "m");
  const AssemblyResult result = assembled(w);
  EXPECT_FALSE(result.success);
  EXPECT_NE(result.sentence.find("contradict"), std::string::npos) << result.sentence;
  EXPECT_NE(result.sentence.find("again"), std::string::npos) << result.sentence;
}

TEST(Assembly, TriesOtherGuessesWhenTheFirstDoesNotClose) {
  // four-bar with its links at a stretched guess from which Newton's method goes astray
  hand::Writer w = hand::rrr();
  w.e->q_initial = {3, 3, 3, -2, 4, 3};
  const AssemblyResult result = assembled(w);
  ASSERT_TRUE(result.success) << result.sentence;
  EXPECT_LT(hand::rrr(result.state.x.head(6), VectorXd::Zero(6)).phi.cwiseAbs().maxCoeff(), 1e-14);
}

TEST(Assembly, MovesAsLittleAsItCanWhateverTheMasses) {
  hand::Writer w;
  w.add("heavy", Coordinate::Kind::length, 0);
  w.add("light", Coordinate::Kind::length, 0);
  w.size();
  w.inertia(0, 0, 99.0), w.inertia(1, 1, 1.0);
  w.row("gap", "x", w.e->q[0] + w.e->q[1] - 1.0);
  const AssemblyResult result = assembled(w);
  ASSERT_TRUE(result.success);
  EXPECT_NEAR(result.state.x[0], 0.5, 1e-14);  // the point of the line x + y = 1 that is nearest to zero
  EXPECT_NEAR(result.state.x[1], 0.5, 1e-14);
}

// The point of the circle x^2 + y^2 = 1 that is nearest to (3, 4) is (0.6, 0.8); Newton's first step leads elsewhere.
TEST(Assembly, FindsTheNearestPointOfACurvedConstraint) {
  hand::Writer w = hand::pendulum();
  w.e->q_initial = {3, 4};
  const AssemblyResult result = assembled(w);
  ASSERT_TRUE(result.success) << result.sentence;
  EXPECT_NEAR(result.state.x[0], 0.6, 1e-12);
  EXPECT_NEAR(result.state.x[1], 0.8, 1e-12);
  EXPECT_NEAR(result.moved[0], -2.4, 1e-12);
}

TEST(Assembly, VelocitiesKeepWhatIsAskedAndFollowTheLoops) {
  hand::Writer w = hand::four_bars(2);
  w.e->speed_keep.push_back({"link0'", {}, w.e->v[0] + 1.0, "rad/s"});
  const AssemblyResult result = assembled(w);
  ASSERT_TRUE(result.success) << result.sentence;
  EXPECT_NEAR(result.state.x[5], -1, 1e-14);
  EXPECT_NEAR(result.state.x[6], -1, 1e-14);
  EXPECT_NEAR(result.state.x[7], -1, 1e-14);
  EXPECT_NEAR(result.state.x[8], 0, 1e-14);
}

TEST(Assembly, NamesSpeedsThatContradictTheLoops) {
  hand::Writer w = hand::four_bars(1);
  w.e->speed_keep.push_back({"link0'", {}, w.e->v[0] + 1.0, "rad/s"});
  w.e->speed_keep.push_back({"link1'", {}, w.e->v[1] - 1.0, "rad/s"});
  const AssemblyResult result = assembled(w);
  EXPECT_FALSE(result.success);
  EXPECT_FALSE(result.sentence.empty());
}

TEST(Assembly, SaysWhereNoFiniteNumberCameOut) {
  hand::Writer w = hand::pendulum();
  w.row("spring", "x", log(w.e->q[1] - 5.0));
  const AssemblyResult result = assembled(w);
  EXPECT_FALSE(result.success);
  EXPECT_EQ(result.sentence, "spring.x: has no finite value at the start");
}

TEST(Assembly, SaysWhereASpeedIsNoFiniteNumber) {
  hand::Writer w = hand::pendulum();
  w.row("drive", "x", w.e->q[1] - sqrt(w.e->t));  // its rate is infinite at t = 0
  const AssemblyResult result = assembled(w);
  EXPECT_FALSE(result.success);
  EXPECT_EQ(result.sentence, "drive.x: its rate of change is not finite at the start");
}

TEST(Assembly, FindsSpeedsWhereSomeMotionHasNoInertia) {
  hand::Writer w;
  w.add("x", Coordinate::Kind::length, 0);
  w.add("y", Coordinate::Kind::length, 0);
  w.size();
  w.inertia(0, 0, 1.0);
  w.row("drive", "x", w.e->q[0] - 3.0 * w.e->t);
  w.e->speed_keep.push_back({"y'", {}, w.e->v[1] - 1.0, "m/s"});
  const AssemblyResult result = assembled(w);
  ASSERT_TRUE(result.success) << result.sentence;
  EXPECT_EQ(result.state.x[2], 3);
  EXPECT_EQ(result.state.x[3], 1);
}

// A four-bar with lengths 1 (ground), 1, 1, 1 and its first link kept at 70 degrees closes in two ways: as a
// parallelogram, and crossed with the third link folded onto the ground's end.
TEST(Assembly, FindsBothBranchesOfAFourBar) {
  hand::Writer w = hand::four_bars(1);
  w.keep("link0", w.e->q[0] - 70 * hand::pi / 180);
  w.near("link1", w.e->q[1] - 70 * hand::pi / 180);
  const auto system = std::make_shared<const System>(w.e);
  SystemEvaluator evaluator(system);
  const std::vector<State> branches = assemble_all(evaluator, system->initial_state());
  ASSERT_EQ(branches.size(), 2u);
  EXPECT_NEAR(branches[0].x[1], 70 * hand::pi / 180, 1e-12);
  // mirror image of the elbow at the diagonal from the first link's top to the second ground pivot: both link1 and the
  // coupler turn to the diagonal's other side, link1 along -x and the coupler parallel to link0 mirrored
  EXPECT_NEAR(std::cos(branches[1].x[1]), -1, 1e-12);
}

TEST(Assembly, FindsTheSameBranchesEveryTime) {
  hand::Writer w = guessed_robot();
  const auto system = std::make_shared<const System>(w.e);
  SystemEvaluator evaluator(system);
  const auto one = assemble_all(evaluator, system->initial_state()),
             two = assemble_all(evaluator, system->initial_state());
  ASSERT_EQ(one.size(), two.size());
  EXPECT_GE(one.size(), 2u);  // three coupled circles meet in an even number of poses
  EXPECT_EQ(one.size() % 2, 0u);
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].x, two[i].x);
}

}  // namespace
}  // namespace armature::internal
