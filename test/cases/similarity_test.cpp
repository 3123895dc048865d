// One machine has one motion, however it is written down: in any units, in a world turned, mirrored and shifted anyhow, with its
// parts in any order, under any names, with coordinates counted either way.
#include "cases/similarity.hpp"

#include <set>

namespace armature::internal {
namespace {

class SimilarMachines : public testing::TestWithParam<SimilarMachine> {};

INSTANTIATE_TEST_SUITE_P(All, SimilarMachines, testing::ValuesIn(similar_machines()), test_name);

TEST_P(SimilarMachines, MoveAlike) { expect_same_motions(GetParam(), GetParam().end, GetParam().draws); }

// A motion on which loops lose rank takes other ways through the code than one on which they do not.
TEST_P(SimilarMachines, LoseRankWhereTheTableSaysSo) {
  const Simulation run = simulated(model_with(GetParam(), GetParam().end, rtol));
  const RunStatistics& statistics = run.outcome.statistics;
  EXPECT_EQ(statistics.constraints > 0 && statistics.smallest_rank < statistics.constraints, GetParam().loses_rank);
}

// Defaults of absolute tolerances are those of 1 rad and of the machine's own length, and as much in a tenth of the run;
// those of energies and currents are the same for all machines, which their motion does not notice.
TEST_P(SimilarMachines, MoveAlikeWithDefaultTolerances) {
  for (const Change change : {Change::units, Change::slower}) {
    if (GetParam().left_out.contains(change)) continue;
    for_random_draws(GetParam().draws, [&] {
      const auto& [runs, own] = expectation_of(GetParam(), GetParam().end);
      const SimilarModel similar(model_with(GetParam(), GetParam().end, rtol), random_transformation(change, false));
      const Difference found = runs.difference(similar, simulated(similar.model()));
      RC_LOG() << to_string(change) << ": differs by " << found.motion << " of " << found.worst_motion << '\n';
      RC_ASSERT(found.motion <= 30 * own.motion + 10 * rtol);
    });
  }
}

TEST(SimilarityTable, HasEveryShippedModel) {
  std::set<std::string> listed;
  for (const SimilarMachine& machine : similar_machines()) {
    EXPECT_TRUE(listed.insert(machine.name).second) << machine.name;
    for (const auto& [change, reason] : machine.left_out) EXPECT_NE(reason, "") << machine.name << to_string(change);
  }
  for (const std::string& name : shipped_models()) EXPECT_TRUE(listed.contains(name)) << name;
}

// At 90 and 270 degrees its slider could leave 0.7 cos(crank).
TEST(EqualSliderCrank, PassesItsSingularPosesAtAnySize) {
  for (const double size : {1e-7, 1e-6, 1e-3, 1e6})
    for (const char* integrator : {"dopri5", "dop853", "cvode_bdf"}) {
      Model model = shipped("slider_crank_equal");
      model.simulate.integrator = integrator, model.simulate.rtol = 1e-9;
      Transformation to;
      to.length = size;
      const Simulation run = simulated(transformed(model, to));
      const std::vector<double> crank = run.column("crank"), slide = run.column("slide");
      double error = 0;
      for (std::size_t row = 0; row < crank.size(); ++row)
        error = std::max(error, std::abs(slide[row] / (0.7 * size) - std::cos(crank[row])));
      EXPECT_LT(error, 1e-10) << integrator << ", " << size;
    }
}

}  // namespace
}  // namespace armature::internal
