// Confidence intervals mean what they say: over many records with other noise, they hold the truth in 95 of 100 cases.
#include <gtest/gtest.h>

#include <map>

#include "made_record.hpp"

namespace armature::internal {
namespace {

TEST(IdentificationSlow, IntervalsOfTwelveParametersHoldTheTruthAsOftenAsTheySay) {
  const Model truth = read_model(std::string(source_directory) + "/models/measured/rrr.yaml");
  constexpr int trials = 200;
  const IdentifyOptions options = twelve_fits();
  int held = 0, all = 0;
  std::map<std::string, int> by_name;
  for (int trial = 0; trial < trials; ++trial) {
    const IdentifyResult found =
        identify(truth, {made_record(truth, rrr_sensors(), 0.01, 100 + static_cast<unsigned>(trial))}, options);
    ASSERT_EQ(found.status, IdentifyStatus::converged) << found.sentence;
    for (const std::string& name : twelve_parameters()) {
      const bool inside = covers(estimate_of(found, name), parameter_value(truth, name));
      held += inside, by_name[name] += inside, ++all;
    }
  }
  const double share = static_cast<double>(held) / all;
  std::printf("%d of %d intervals hold the truth: %.2f %%\n", held, all, 100 * share);
  EXPECT_GT(share, 0.93);
  EXPECT_LT(share, 0.97);
  // of one parameter 200 trials tell 95 % to +- 1.5 %: four of these
  for (const auto& [name, count] : by_name) EXPECT_GT(count, static_cast<int>(0.89 * trials)) << name;
}

}  // namespace
}  // namespace armature::internal
