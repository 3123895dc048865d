// Every shipped model that can be exported, as an FMU in co-simulation: the numbers of `armature run`.
#include <gtest/gtest.h>

#include <cmath>

#include "fmi/host.hpp"
#include "inspect/agreement.hpp"
#include "model/finding.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

std::vector<std::string> exported_models() {
  const std::filesystem::path models = std::string(source_directory) + "/models";
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(models)) {
    const std::string name = std::filesystem::relative(entry.path(), models).replace_extension().string();
    const bool is_motor = name.find("motors/") != name.npos;
    if (entry.path().extension() == ".yaml" && !is_motor && !name.starts_with("robots/")) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

class EveryFmu : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Models, EveryFmu, testing::ValuesIn(exported_models()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace(name, '/', '_');
  return name;
});

// In twenty steps of the host. Both promise three digits less than the tolerance, which is 1e-8 at most.
TEST_P(EveryFmu, HasTheNumbersOfARun) {
  constexpr double promised = 1e-5;
  constexpr int steps = 20;
  Model model = shipped(GetParam());
  model.simulate.end = std::min(model.simulate.end, 0.4);
  model.simulate.record = model.simulate.end / steps;
  const Simulation run = simulated(model);
  const UnpackedFmu fmu("models/" + GetParam() + ".yaml", FmiVersion::fmi3);
  Instance3 one(fmu, Instance3::Kind::co_simulation);
  one.initialize();
  const ChannelScales scales = channel_scales(run.record, run.prepared);
  int compared = 0;
  for (int k = 0; k < steps; ++k) {
    ASSERT_EQ(one.step(model.simulate.end / steps * k, model.simulate.end / steps).status, fmi3OK) << one.logged;
    for (const Coordinate& coordinate : run.prepared.system->equations().positions) {
      if (!fmu.references().contains(coordinate.name)) continue;
      ++compared;
      EXPECT_NEAR(one.get(coordinate.name), run.at(k + 1, coordinate.name), promised * scales.at(coordinate.name))
          << coordinate.name << " after step " << k;
    }
  }
  EXPECT_GT(compared, 0);
}

}  // namespace
}  // namespace armature::internal
