// What a run spends on recording, events and projection: whole runs, and their bare motion. That is the same steps' arithmetic,
// from one change of a comparison to the next, without looking for changes, without rows and without returning to the
// constraints. Times are those of the run's own thread; what the threads of rows and digits take beside it is counted.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <time.h>

#include "observe/observer.hpp"
#include "prepare/setup.hpp"
#include "programs.hpp"
#include "read/reader.hpp"
#include "record/csv_recorder.hpp"
#include "run/simulate.hpp"

namespace armature::internal::bench {

namespace {

// The share is the difference of two times: many short repetitions, of which some are not disturbed.
constexpr int repetitions = 60;
constexpr double least_time = 0.02;  // s, of one

struct Machine {
  const char *name, *model;
  Settings settings = {};
  double end = 0;  // s; 0: as the file asks
};

Prepared prepared_machine(const Machine& machine) {
  Model model = read_model(fmt::format("{}/models/{}.yaml", ARMATURE_SOURCE_DIR, machine.model), machine.settings);
  if (machine.end > 0) model.simulate.end = machine.end;
  Prepared prepared = compile(model);
  assemble_start(prepared);
  return prepared;
}

// A piece of the motion in which no comparison changes.
struct Piece {
  State start;
  double end;
};

class Pieces : public StepWatcher {
 public:
  void begin(Dynamics& dynamics, const Integrator&, const State& start) override {
    dynamics_ = &dynamics;
    state_ = start;
  }
  bool step(const Integrator& integrator, double until) override {
    const std::vector<ComparisonStatus> before = state_.comparisons;
    const Layout& n = dynamics_->system().layout();
    state_.w = dynamics_->weights();
    state_.d = Eigen::Map<const Eigen::VectorXd>(dynamics_->evaluator().inputs() + n.d(), n.nd);
    for (Eigen::Index k = 0; k < state_.w.size(); ++k)
      state_.comparisons[static_cast<std::size_t>(k)] = state_.w[k] == 0   ? ComparisonStatus::below
                                                        : state_.w[k] == 1 ? ComparisonStatus::above
                                                                           : ComparisonStatus::sliding;
    if (list.empty() || state_.comparisons != before) {
      state_.t = integrator.previous_t();
      integrator.interpolate(state_.t, state_.x);
      list.push_back({state_, until});
    }
    list.back().end = until;
    return true;
  }
  std::vector<Piece> list;

 private:
  Dynamics* dynamics_ = nullptr;
  State state_;
};

double seconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// The time that the run's own thread spends, from its first row on.
class Timed : public StepWatcher {
 public:
  explicit Timed(Observer& observer) : observer_(observer) {}
  void begin(Dynamics& dynamics, const Integrator& integrator, const State& start) override {
    began_ = seconds(CLOCK_THREAD_CPUTIME_ID);
    observer_.begin(dynamics, integrator, start);
  }
  bool step(const Integrator& integrator, double until) override { return observer_.step(integrator, until); }
  void restarted() override { observer_.restarted(); }
  void report(Outcome& outcome) override {
    observer_.report(outcome);
    time = seconds(CLOCK_THREAD_CPUTIME_ID) - began_;
  }
  double time = 0;  // s

 private:
  Observer& observer_;
  double began_ = 0;
};

double beside() { return seconds(CLOCK_PROCESS_CPUTIME_ID) - seconds(CLOCK_THREAD_CPUTIME_ID); }

void whole(benchmark::State& state, const Machine& machine) {
  const Prepared prepared = prepared_machine(machine);
  Outcome outcome;
  const double before = beside();
  for (auto _ : state) {
    CsvRecorder recorder("/dev/null");
    Observer observer(prepared, recorder, Observer::Thread::beside);
    Timed timed(observer);
    outcome = follow(prepared, timed);
    state.SetIterationTime(timed.time);
  }
  state.counters["steps"] = static_cast<double>(outcome.statistics.integrator.steps);
  state.counters["rows"] = static_cast<double>(outcome.statistics.rows);
  state.counters["beside"] = (beside() - before) / static_cast<double>(state.iterations());
}

void bare(benchmark::State& state, const Machine& machine) {
  Prepared prepared = prepared_machine(machine);
  Pieces pieces;
  follow(prepared, pieces);
  prepared.options.projection = false;
  long steps = 0;
  for (auto _ : state) {  // memory and caches are as new as those of a whole run
    const auto dynamics = make_dynamics(prepared);
    const Solver solver = make_solver(prepared, *dynamics);
    Integrator& integrator = *solver.integrator;
    const double began = seconds(CLOCK_THREAD_CPUTIME_ID);
    for (const Piece& piece : pieces.list) {
      dynamics->set_state(piece.start);
      integrator.start(piece.start.t, piece.start.x);
      while (integrator.t() < piece.end)
        if (integrator.step(piece.end) != StepStatus::ok) return state.SkipWithError("a step failed");
    }
    state.SetIterationTime(seconds(CLOCK_THREAD_CPUTIME_ID) - began);
    steps = integrator.statistics().steps;
  }
  state.counters["steps"] = static_cast<double>(steps);
}

}  // namespace

void register_shares() {
  for (const Machine& machine :
       {Machine{"rrr", "rrr", {}, 50}, Machine{"rrr_motors", "rrr_motors", {}, 50}, Machine{"press", "press"},
        Machine{"slider_crank", "slider_crank", {}, 20}, Machine{"windows_40", "n_four_bar", {{"N", "40"}}, 0.6},
        Machine{"five_bar", "five_bar"}, Machine{"stewart", "stewart"}, Machine{"crane", "crane", {}, 100}}) {
    add(
        fmt::format("share/{}/whole", machine.name), [=](benchmark::State& state) { whole(state, machine); },
        repetitions)
        ->MinTime(least_time)
        ->UseManualTime();
    add(
        fmt::format("share/{}/bare", machine.name), [=](benchmark::State& state) { bare(state, machine); }, repetitions)
        ->MinTime(least_time)
        ->UseManualTime();
  }
}

}  // namespace armature::internal::bench
