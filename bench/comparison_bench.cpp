// Armature beside the other engines: accelerations, the cost of a motion against its error, steps of the N-four-bar. The
// names are row/machine/engine/setting; bench/report.cpp reads them.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "engine.hpp"
#include "prepare/prepare.hpp"
#include "programs.hpp"
#include "reference.hpp"

namespace armature::internal::bench {

namespace {

void acceleration(benchmark::State& state, const EngineKind& kind, const std::string& name) {
  const Machine& of = machine(name);
  Engine* engine = engine_for(kind, of);
  Eigen::VectorXd vdot(of.size());
  for (auto _ : state) {
    engine->acceleration(of.q.data(), of.v.data(), vdot.data());
    benchmark::ClobberMemory();
  }
  const Eigen::VectorXd exact = reference_acceleration(of);
  state.counters["error"] = (vdot - exact).cwiseAbs().maxCoeff() / exact.cwiseAbs().maxCoeff();
  if (kind.name == "Armature")
    state.counters["operations"] = of.prepared->system->program(Kernel::acceleration)->operation_count();
}

// A motion that broke down has none.
void count_error(benchmark::State& state, double error) {
  if (std::isfinite(error)) state.counters["error"] = error;
}

// end: s of the motion.
void motion(benchmark::State& state, const EngineKind& kind, const std::string& name, const Setting& setting,
            double end, int samples) {
  const Machine& of = machine(name);
  Engine* engine = engine_for(kind, of);
  Motion result{Eigen::MatrixXd::Zero(of.size(), samples)};
  for (auto _ : state) engine->motion(setting, end, result);
  count_error(state, motion_error(of, end, result));
  state.counters["steps"] = static_cast<double>(result.steps);
  state.counters["seconds"] = end;
}

// The N-four-bar with N = 2 falls through its singular poses for 10 s, at the 24 step sizes 0.1 s/k, k = 7 … 30.
void step_sizes(benchmark::State& state, const EngineKind& kind) {
  const Machine& of = machine("windows_2");
  Engine* engine = engine_for(kind, of);
  double worst = 0, passed = 0;
  for (auto _ : state) {
    worst = passed = 0;
    for (int k = 7; k <= 30; ++k) {
      Motion result{Eigen::MatrixXd::Zero(of.size(), 100)};
      Setting setting = kind.fixed_step;
      setting.step = 0.1 / k;  // 14.3 to 3.3 ms
      engine->motion(setting, 10, result);
      const double error = motion_error(of, 10, result);
      worst = std::max(worst, error);
      passed += error < 0.1;  // on the other branch the angles differ by more
    }
  }
  count_error(state, worst);
  state.counters["passed"] = passed;
}

std::string name_of(const Setting& setting) {
  return setting.step > 0 ? fmt::format("{}, {:g} ms", setting.method, 1e3 * setting.step)
                          : fmt::format("{}, rtol {:g}", setting.method, setting.rtol);
}

// Motions of other engines take up to seconds, and then differ less.
int repetitions(const EngineKind& kind) {
  return kind.name == "Armature" || kind.name == "by hand" ? 5 : kind.name == "MuJoCo" ? 2 : 1;
}

bool has_machine(const EngineKind& kind, const std::string& name) {
  return kind.name != "by hand" || name.starts_with("rrr");
}

void register_accelerations() {
  for (const char* name : {"rrr_benchmark", "arm_7", "arm_20"})
    for (const EngineKind& kind : engines()) {
      if (!has_machine(kind, name)) continue;
      if (!kind.has_acceleration && std::string(name).starts_with("rrr")) continue;
      add(fmt::format("acceleration/{}/{}", name, kind.name),
          [&kind, name](benchmark::State& state) { acceleration(state, kind, name); });
    }
}

void register_motions() {
  for (const char* name : {"rrr_benchmark", "rrr_case_a"})
    for (const EngineKind& kind : engines())
      for (const Setting& setting : kind.settings)
        add(
            fmt::format("motion/{}/{}/{}", name, kind.name, name_of(setting)),
            [&kind, name, setting](benchmark::State& state) { motion(state, kind, name, setting, 5, 100); },
            repetitions(kind));
}

// The largest N that an engine is given: beyond it, its motions break down or take minutes.
int most_windows(const EngineKind& kind) {
  static const std::map<std::string, int> known{{"Armature", 1000}, {"MuJoCo", 100}, {"DART", 10}};
  const auto found = known.find(kind.name);
  return found == known.end() ? 2 : found->second;
}

// 10 s of up to 40 windows; of more 1 s, in which the first singular pose is passed.
void register_windows() {
  for (int N : {2, 10, 40, 100, 200, 400, 1000})
    for (const EngineKind& kind : engines()) {
      const std::string name = fmt::format("windows_{}", N);
      if (!has_machine(kind, name) || N > most_windows(kind)) continue;
      const double end = N <= 40 ? 10 : 1;
      add(
          fmt::format("step/{}/{}/{}", name, kind.name, name_of(kind.fixed_step)),
          [&kind, name, end](benchmark::State& state) {
            motion(state, kind, name, kind.fixed_step, end, static_cast<int>(10 * end));
          },
          repetitions(kind));
    }
  for (const EngineKind& kind : engines())
    if (has_machine(kind, "windows_2"))
      add(
          fmt::format("step_sizes/windows_2/{}/24 step sizes", kind.name),
          [&kind](benchmark::State& state) { step_sizes(state, kind); }, repetitions(kind));
}

}  // namespace

void register_comparisons() {
  register_accelerations();
  register_motions();
  register_windows();
}

}  // namespace armature::internal::bench
