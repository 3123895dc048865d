// Time of the tuning of the arm on a circle: 40 x 40 pairs of gains, explicit Euler, 400 steps each, on all cores.

#include <benchmark/benchmark.h>

#include <string>

#include "analysis/tuning.hpp"
#include "model/reader.hpp"

namespace {

using namespace armature;

void arm_tuning(benchmark::State& state) {
  Model model = read_model(std::string(ARMATURE_SOURCE_DIR) + "/models/arm_on_circle.yaml");
  model.simulate.integrator = "euler", model.simulate.step = 0.1, model.simulate.end = 40;
  TuningOptions options;
  for (int k = 1; k <= 40; ++k) options.alpha.push_back(0.5 * k);
  options.beta = options.alpha;
  for (auto _ : state) benchmark::DoNotOptimize(tune(model, options));
}
BENCHMARK(arm_tuning)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
