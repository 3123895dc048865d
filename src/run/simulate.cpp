#include "run/simulate.hpp"

#include <fmt/format.h>

#include <utility>

#include "expression/interruption.hpp"
#include "observe/observer.hpp"
#include "observe/watched_along.hpp"
#include "prepare/setup.hpp"
#include "run/run.hpp"
#include "run/warn.hpp"

namespace armature::internal {

namespace {

// Machine code is made here, which takes a while for large models; nothing is lost where that is given up.
std::pair<std::unique_ptr<Dynamics>, Solver> set_up(const Prepared& prepared) {
  const Abandonable work;
  auto dynamics = make_dynamics(prepared);
  Solver solver = make_solver(prepared, *dynamics);
  return {std::move(dynamics), std::move(solver)};
}

Outcome follow(const Prepared& prepared, StepWatcher& watcher, const Progress& progress, const Warn& warn) {
  auto [dynamics, solver] = set_up(prepared);
  Run run(prepared, watcher, *dynamics, *solver.integrator, solver.index2.get(), warn);
  run.begin();
  while (run.t() < prepared.options.end)
    if (std::optional<Outcome> outcome = run.step(progress)) return *std::move(outcome);
  return run.end(RunStatus::finished, fmt::format("reached t = {:g} s", prepared.options.end));
}

}  // namespace

Outcome follow(const Prepared& prepared, StepWatcher& watcher, const Progress& progress) {
  return follow(prepared, watcher, progress, {});
}

Outcome simulate(const Prepared& prepared, Recorder& recorder, const Progress& progress) {
  return simulate(prepared, recorder, progress, {});
}

Outcome simulate(const Prepared& prepared, Recorder& recorder, const Progress& progress, const Warn& warn,
                 StepWatcher* along) {
  Observer observer(prepared, recorder, Observer::Thread::beside);
  if (!along) return follow(prepared, observer, progress, warn);
  WatchedAlong both(observer, *along);
  return follow(prepared, both, progress, warn);
}

}  // namespace armature::internal
