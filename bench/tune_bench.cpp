// Time of the tuning of the arm on a circle: 40 x 40 pairs of gains, explicit Euler, 400 steps each.

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
  options.lanes = static_cast<int>(state.range(0)), options.threads = static_cast<int>(state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(tune(model, options));
}
// {runs at once in a thread, threads (0: all cores)}
BENCHMARK(arm_tuning)->Args({1, 1})->Args({8, 1})->Args({8, 0})->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
