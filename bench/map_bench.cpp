// Time of the 61 x 61 map of the press, 40 s each, on all cores: eight motions at once in each, and one after the other.

#include <benchmark/benchmark.h>

#include <string>

#include "read/reader.hpp"
#include "study/design.hpp"
#include "study/study_cells.hpp"

namespace {

using namespace armature::internal;

void classify(benchmark::State& state, int lanes) {
  Model model = read_model(std::string(ARMATURE_SOURCE_DIR) + "/models/press.yaml");
  model.simulate.rtol = 1e-7;
  const Varied varied = vary(model, {"phi0", "w0"});
  MotionFormulas formulas(varied.model, varied.parameters);
  const Classes classes("never: turns(phi) < 1; for good: final(phi) - at(phi, 28) > 2*pi; trapped", formulas);
  const Study study(varied, formulas);
  const Points points = grid_points({{"phi0", 0, 2 * 3.14159265358979323846, 61}, {"w0", -3, 3, 61}});
  const MotionNumbers write = [](const StudyRun& run, MotionStatus, std::span<double> result) {
    result[0] = run.motion_class();
  };
  const CellJob job = study_cells(study, &classes, points, 1, write, lanes);
  for (auto _ : state) benchmark::DoNotOptimize(run_cells(job));
}
void press_map(benchmark::State& state) { classify(state, lane_count); }
void press_map_one_by_one(benchmark::State& state) { classify(state, 1); }
BENCHMARK(press_map)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime();
BENCHMARK(press_map_one_by_one)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime();

}  // namespace
