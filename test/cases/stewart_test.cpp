// A spatial mechanism of universal, prismatic and ball joints: it assembles, and nothing is lost.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

TEST(Stewart, AssemblesNearThePoseAsked) {
  const Prepared start = prepared(shipped("stewart"));
  SystemEvaluator evaluator(start.system);
  Terms terms = evaluator.make_terms();
  evaluator.set(0, start.start.x.data());
  evaluator.position(terms);
  EXPECT_LT(terms.phi.cwiseAbs().maxCoeff(), 1e-12);
}

class StewartEnergy : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Integrators, StewartEnergy, testing::Values("dopri5", "dop853"),
                         [](const auto& info) { return info.param; });

TEST_P(StewartEnergy, IsConserved) {
  Model model = shipped("stewart");
  model.simulate.integrator = GetParam();
  model.simulate.rtol = 1e-10;
  const Simulation run = simulated(model);
  const auto kinetic = run.column("energy.kinetic"), potential = run.column("energy.potential");
  const auto [lowest, highest] = std::minmax_element(potential.begin(), potential.end());
  const double turned_over = *std::max_element(kinetic.begin(), kinetic.end()) + *highest - *lowest;
  EXPECT_GT(turned_over, 50);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-8 * turned_over);
  for (double error : run.column("constraint.position")) ASSERT_LT(error, 1e-11);
}

}  // namespace
}  // namespace armature::internal
