// The machines of models/: one evaluation of their equations, whole runs as their files ask for them, and eight states at
// once in vector registers.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>

#include "dynamics/dynamics.hpp"
#include "expression/machine_code.hpp"
#include "prepare/setup.hpp"
#include "programs.hpp"
#include "read/reader.hpp"
#include "run/simulate.hpp"
#include "samples.hpp"

namespace armature::internal::bench {

namespace {

Prepared prepared_model(const std::string& name) {
  Prepared prepared = compile(read_model(std::string(ARMATURE_SOURCE_DIR) + "/models/" + name + ".yaml"));
  assemble_start(prepared);
  return prepared;
}

void evaluation(benchmark::State& state, const std::string& name) {
  const Prepared prepared = prepared_model(name);
  const auto dynamics = make_dynamics(prepared);
  Eigen::VectorXd x = prepared.start.x, xdot = x;
  for (auto _ : state) {
    dynamics->derivative(prepared.start.t, x.data(), xdot.data());
    benchmark::ClobberMemory();
  }
  state.counters["operations"] = prepared.system->program(Kernel::acceleration)->operation_count();
}

Eigen::MatrixXd positions(const Prepared& prepared, Outcome& outcome) {
  Eigen::MatrixXd q(prepared.system->layout().nq, 100);
  Samples samples(prepared.options.end, q);
  outcome = follow(prepared, samples);
  return q;
}

// The error is the largest difference of a position, rad or m, from a run with a tolerance a thousand times smaller.
void run(benchmark::State& state, const std::string& name) {
  Prepared prepared = prepared_model(name);
  Outcome outcome;
  Eigen::MatrixXd q;
  for (auto _ : state) q = positions(prepared, outcome);
  Prepared tight = prepared;
  tight.options.integrator = "dop853";
  tight.options.rtol = std::max(1e-13, 1e-3 * prepared.options.rtol);
  tight.options.atol *= tight.options.rtol / prepared.options.rtol;
  Outcome ignored;
  state.counters["error"] = (q - positions(tight, ignored)).cwiseAbs().maxCoeff();
  state.counters["steps"] = static_cast<double>(outcome.statistics.integrator.steps);
  state.counters["seconds"] = prepared.options.end;
  state.counters["rtol"] = prepared.options.rtol;
}

// The program alone, without what surrounds it; the time is that of one state.
void lanes(benchmark::State& state, const std::string& name, int count) {
  const Prepared prepared = prepared_model(name);
  const Program& program = *prepared.system->program(Kernel::acceleration);
  const auto code = MachineCode::translate(program, count);
  if (!code) return state.SkipWithError("this machine has no AVX2, or the build no assembler");
  std::vector<double> in(program.input_count() * count), out(program.output_count() * count), work(code->work_size());
  const Layout& n = prepared.system->layout();
  for (int i = 0; i < n.nx(); ++i) std::fill_n(in.begin() + (n.q() + i) * count, count, prepared.start.x[i]);
  for (auto _ : state) {
    (*code)(in.data(), out.data(), work.data());
    benchmark::ClobberMemory();
  }
  state.counters["lanes"] = count;
}

}  // namespace

void register_models() {
  for (const char* name : {"rrr", "press", "arm_on_circle"})
    for (int count : {1, 8})
      add(fmt::format("lanes/{}/{}", name, count), [=](benchmark::State& state) { lanes(state, name, count); });
  for (const char* name : {"rrr_motors", "rrr_pd", "arm_on_circle", "crane", "two_joint_arm", "slider_crank",
                           "slider_crank_equal", "press", "five_bar", "pendulum", "four_bar", "squeezer", "stewart"}) {
    add(fmt::format("evaluation/{}", name), [=](benchmark::State& state) { evaluation(state, name); });
    add(fmt::format("run/{}", name), [=](benchmark::State& state) { run(state, name); });
  }
}

}  // namespace armature::internal::bench
