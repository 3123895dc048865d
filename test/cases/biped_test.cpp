// A long tree with many loops (docs/design/011-long-trees.md): it loads at once, it falls as one body, and nothing is lost.
#include <gtest/gtest.h>

#include <ctime>
#include <set>

#include "mechanics/equations.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

TEST(Biped, HasSeventyEightJointsAndTwentyFourLoops) {
  const Prepared start = prepared(shipped("biped"));
  const Equations& e = start.system->equations();
  std::set<std::string> joints;
  for (const Coordinate& velocity : e.velocities) joints.insert(velocity.joint);
  EXPECT_EQ(joints.size(), 78u);
  EXPECT_EQ(e.cut_joints.size(), 24u);
  EXPECT_EQ(start.system->options().independent_rows.size(), 48u);  // a loop in a plane of its own: two rows
}

// Processor time, which does not count what else the machine does.
TEST(Biped, IsLoadedWithinASecond) {
  const std::clock_t before = std::clock();
  const Prepared start = prepared(shipped("biped"));
  EXPECT_LT(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC, 1.0);
  EXPECT_TRUE(start.system->options().traced_solve);
}

TEST(Biped, GoesFromLinkToLink) {
  const Prepared start = prepared(shipped("biped"));
  EXPECT_TRUE(start.system->articulated());
  EXPECT_LE(start.system->traced_operation_count(), 35000);
}

// All of it: what the first slide of the base moves.
double mass_of(const Prepared& prepared) {
  SystemEvaluator evaluator(prepared.system);
  Terms terms = evaluator.make_terms();
  evaluator.set(0, prepared.start.x.data());
  evaluator.position(terms);
  EXPECT_EQ(prepared.system->equations().velocities.front().name, "base.x'");
  return terms.M(0, 0);
}

// Inner forces do not move the center of mass: the potential of gravity falls as that of a stone.
TEST(Biped, FallsAsAStoneDoes) {
  const Simulation run = simulated(shipped("biped"));
  ASSERT_EQ(run.outcome.status, RunStatus::finished);
  const auto t = run.column("t"), potential = run.column("energy.potential"), elastic = run.column("energy.elastic");
  const double mass = mass_of(run.prepared), g = 9.81, start = potential.front() - elastic.front();
  for (std::size_t k = 0; k < t.size(); ++k)
    ASSERT_NEAR(potential[k] - elastic[k], start - mass * g * (g * t[k] * t[k] / 2), 1e-5) << t[k];
  const auto kinetic = run.column("energy.kinetic");
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-5 * *std::max_element(kinetic.begin(), kinetic.end()));
  for (double error : run.column("constraint.position")) ASSERT_LT(error, 1e-9);
}

}  // namespace
}  // namespace armature::internal
