// Time of the 61 x 61 map of the press, 40 s each, on all cores.

#include <benchmark/benchmark.h>

#include <string>

#include "analysis/design.hpp"
#include "analysis/study.hpp"
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
  const CellJob job{points.count(), 1, [&](const StopFlag& stop) -> CellFunction {
                      auto run = std::make_shared<StudyRun>(study, &classes, stop);
                      return [run, &points](long index, std::span<double> result) {
                        run->run({points[index], 2});
                        result[0] = run->motion_class();
                        return true;
                      };
                    }};
  for (auto _ : state) benchmark::DoNotOptimize(run_cells(job));
}
BENCHMARK(press_map)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
