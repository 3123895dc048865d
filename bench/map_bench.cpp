// Time of the 61 x 61 map of the press, 40 s each: one motion after the other, eight at once, and so on all cores.

#include <benchmark/benchmark.h>

#include <string>

#include "analysis/design.hpp"
#include "analysis/study_cells.hpp"
#include "model/reader.hpp"

namespace {

using namespace armature;

void press_map(benchmark::State& state) {
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
  const CellJob job = study_cells(study, &classes, points, 1, write, static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(run_cells(job, {.threads = static_cast<int>(state.range(1))}));
}
// {motions at once in a thread, threads (0: all cores)}
BENCHMARK(press_map)->Args({1, 1})->Args({8, 1})->Args({8, 0})->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
