// Time of the tuning of the arm on a circle: 40 x 40 pairs of gains, explicit Euler, 400 steps each.

#include <benchmark/benchmark.h>

#include <string>

#include "read/reader.hpp"
#include "tuning/tuning.hpp"

namespace {

using namespace armature::internal;

void tune_arm(benchmark::State& state, int lanes) {
  Model model = read_model(std::string(ARMATURE_SOURCE_DIR) + "/models/arm_on_circle.yaml");
  model.simulate.integrator = "euler", model.simulate.step = 0.1, model.simulate.end = 40;
  TuningOptions options;
  for (int k = 1; k <= 40; ++k) options.alpha.push_back(0.5 * k);
  options.beta = options.alpha;
  options.lanes = lanes;
  for (auto _ : state) benchmark::DoNotOptimize(tune(model, options));
}
void arm_tuning(benchmark::State& state) { tune_arm(state, lane_count); }
void arm_tuning_one_by_one(benchmark::State& state) { tune_arm(state, 1); }
BENCHMARK(arm_tuning)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime();
BENCHMARK(arm_tuning_one_by_one)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime();

}  // namespace
