#include "dynamics/redundancy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dynamics/equation_systems.hpp"

namespace armature::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Redundancy of(const hand::Writer& writer, const Eigen::VectorXd& q = {}) {
  const auto system = std::make_shared<const System>(writer.e);
  SystemEvaluator evaluator(system);
  State start = system->initial_state();
  if (q.size() > 0) start.x.head(q.size()) = q;
  return find_redundancy(evaluator, start);
}

TEST(Redundancy, FindsNoneInARegularMechanism) {
  const Redundancy result = of(hand::rrr());
  EXPECT_THAT(result.independent, ElementsAre(0, 1, 2));
  EXPECT_THAT(result.always, IsEmpty());
  EXPECT_THAT(result.only_here, IsEmpty());
  EXPECT_EQ(result.degrees_of_freedom, 3);
  EXPECT_GT(result.poses, 3);
}

TEST(Redundancy, NamesRowsThatSayNothingNewAtEveryPose) {
  hand::Writer w = hand::rrr();
  w.row("copy", "r", 1000.0 * w.e->rows[0].phi);
  const Redundancy result = of(w);
  EXPECT_EQ(result.generic_rank, 3);
  EXPECT_EQ(result.rank_here, 3);
  ASSERT_EQ(result.always.size(), 1u);
  // either of the two may be the one that is left out
  const int left_out = result.always[0].row;
  EXPECT_TRUE(left_out == 0 || left_out == 3);
  EXPECT_THAT(result.always[0].on, ElementsAre(3 - left_out));
  EXPECT_THAT(result.only_here, IsEmpty());
}

TEST(Redundancy, TellsASingularPoseFromARedundantConstraint) {
  Eigen::VectorXd q(3);
  q << hand::pi / 2, hand::pi / 2, 0;
  const Redundancy result = of(hand::slider_crank(), q);
  EXPECT_EQ(result.rank_here, 1);
  EXPECT_EQ(result.generic_rank, 2);
  EXPECT_EQ(result.degrees_of_freedom, 1);
  EXPECT_EQ(result.degrees_of_freedom_here, 2);
  EXPECT_THAT(result.always, IsEmpty());
  EXPECT_THAT(result.independent, ElementsAre(0, 1));
  ASSERT_EQ(result.only_here.size(), 1u);
}

// From a flat pose the way out is of second order, and with the drive there is no freedom to walk along.
TEST(Redundancy, KeepsTheRowsOfADrivenMachineThatStartsFlat) {
  hand::Writer w = hand::four_bars(1);  // a parallelogram
  w.row("drive", "angle", w.e->q[0] - 2.0 * w.e->t);
  const Redundancy result = of(w, Eigen::VectorXd::Zero(3));
  EXPECT_EQ(result.rank_here, 2);
  EXPECT_EQ(result.generic_rank, 3);
  EXPECT_THAT(result.always, IsEmpty());
  EXPECT_THAT(result.independent, ElementsAre(0, 1, 2));
}

TEST(Redundancy, GivesTheSameAnswerEveryTime) {
  hand::Writer w = hand::four_bars(3);
  w.row("sum", "x", w.e->rows[0].phi + w.e->rows[2].phi);
  const Redundancy one = of(w), two = of(w);
  EXPECT_EQ(one.independent, two.independent);
  EXPECT_EQ(one.generic_rank, 6);
  EXPECT_EQ(one.always.size(), 1u);
  EXPECT_EQ(one.always[0].on.size(), 2u);
}

}  // namespace
}  // namespace armature::internal
