// Whole motions on one thread, one after the other and eight at once: processor time of all of them.

#include <benchmark/benchmark.h>

#include <string>

#include "programs.hpp"
#include "read/reader.hpp"
#include "study/study_cells.hpp"

namespace {

using namespace armature::internal;

// 256 motions that differ in two start values or parameters; `number` of each is computed.
void motion_lanes(benchmark::State& state, const std::string& name, const std::string& integrator, double end,
                  double rtol, const std::vector<Axis>& axes, const std::string& number) {
  Model model = read_model(std::string(ARMATURE_SOURCE_DIR) + "/models/" + name + ".yaml");
  model.simulate.integrator = integrator, model.simulate.end = end, model.simulate.rtol = rtol;
  const Varied varied = vary(model, {axes[0].name, axes[1].name});
  MotionFormulas formulas(varied.model, varied.parameters);
  formulas.add_number(number);
  const Study study(varied, formulas);
  const Points points = grid_points(axes);
  const MotionNumbers write = [](const StudyRun& run, MotionStatus, std::span<double> result) {
    result[0] = run.values()[0];
  };
  const CellJob job = study_cells(study, nullptr, points, 1, write, static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(run_cells(job, {.threads = 1}));
  state.counters["motions"] = static_cast<double>(points.count());
}

void one_and_eight(benchmark::internal::Benchmark* benchmark) {
  bench::smallest_of(5, benchmark)->Arg(1)->Arg(8)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();
}

const std::vector<Axis> rrr_axes = {{"theta1.v", -0.5, 0.5, 16}, {"m2", 0.5, 1, 16}};
const std::vector<Axis> press_axes = {{"phi0", 0, 6.28, 16}, {"w0", 1.5, 3, 16}};

BENCHMARK_CAPTURE(motion_lanes, rrr, "rrr", "dopri5", 5, 1e-6, rrr_axes, "final(theta1)")->Apply(one_and_eight);
BENCHMARK_CAPTURE(motion_lanes, rrr_dop853, "rrr", "dop853", 5, 1e-9, rrr_axes, "final(theta1)")->Apply(one_and_eight);
BENCHMARK_CAPTURE(motion_lanes, press, "press", "dopri5", 40, 1e-7, press_axes, "final(phi)")->Apply(one_and_eight);

}  // namespace
