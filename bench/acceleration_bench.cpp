// Time of one constrained acceleration (terms and traced solve together): machine code, the interpreter, and eight lanes.

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "expression/machine_code.hpp"
#include "model/reader.hpp"
#include "simulate/prepare.hpp"

namespace {

using namespace armature;

struct Machine {
  Prepared prepared;
  const Program* program;
  std::vector<double> in;  // at the assembled start

  Machine(const std::string& name, const Settings& settings)
      : prepared(compile(read_model(std::string(ARMATURE_SOURCE_DIR) + "/models/" + name + ".yaml", settings))) {
    assemble_start(prepared);
    program = prepared.system->programs().acceleration;
    in.assign(program->input_count(), 0.0);
    const Layout& n = prepared.system->layout();
    for (int i = 0; i < n.nx(); ++i) in[n.q() + i] = prepared.start.x[i];
  }
};

// lanes: how many states at once; the time of one state is reported.
void assembled(benchmark::State& state, const std::string& name, const Settings& settings, int lanes) {
  const Machine machine(name, settings);
  const auto code = MachineCode::assemble(*machine.program, lanes);
  if (!code) return state.SkipWithError("this machine has no AVX2, or the build no assembler");
  std::vector<double> in, out(machine.program->output_count() * lanes), work(code->work_size());
  for (double x : machine.in) in.insert(in.end(), lanes, x);
  for (auto _ : state) {
    (*code)(in.data(), out.data(), work.data());
    benchmark::ClobberMemory();
  }
  state.counters["operations"] = machine.program->operation_count();
  state.counters["per_state"] =
      benchmark::Counter(lanes, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void interpreted(benchmark::State& state, const std::string& name, const Settings& settings) {
  const Machine machine(name, settings);
  std::vector<double> out(machine.program->output_count()), work(machine.program->work_size());
  machine.program->prepare(work.data());
  for (auto _ : state) {
    machine.program->evaluate(machine.in.data(), out.data(), work.data());
    benchmark::ClobberMemory();
  }
}

BENCHMARK_CAPTURE(assembled, rrr, "rrr", {}, 1);
BENCHMARK_CAPTURE(assembled, rrr_lanes, "rrr", {}, 8);
BENCHMARK_CAPTURE(interpreted, rrr, "rrr", {});
BENCHMARK_CAPTURE(assembled, rrr_benchmark, "rrr_benchmark", {}, 1);
BENCHMARK_CAPTURE(assembled, arm_7, "arm", {{"n", "7"}}, 1);
BENCHMARK_CAPTURE(assembled, arm_20, "arm", {{"n", "20"}}, 1);
BENCHMARK_CAPTURE(assembled, press, "press", {}, 1);
BENCHMARK_CAPTURE(assembled, press_lanes, "press", {}, 8);
BENCHMARK_CAPTURE(assembled, stewart, "stewart", {}, 1);
BENCHMARK_CAPTURE(assembled, n_four_bar_40, "n_four_bar", {{"N", "40"}}, 1);
BENCHMARK_CAPTURE(interpreted, n_four_bar_40, "n_four_bar", {{"N", "40"}});

}  // namespace
