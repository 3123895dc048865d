#include "simulate/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "dynamics/dynamics.hpp"
#include "dynamics/formulation.hpp"
#include "dynamics/index2.hpp"
#include "integrate/integrator.hpp"
#include "simulate/crossings.hpp"
#include "simulate/diagnose.hpp"
#include "simulate/modes.hpp"
#include "simulate/peaks.hpp"
#include "simulate/row_watcher.hpp"
#include "simulate/samples.hpp"
#include "simulate/setup.hpp"
#include "simulate/step_limit.hpp"

namespace armature {

namespace {

constexpr int chatter_limit = 200;  // changes without progress in time

// One run: what the loop below moves forward.
class Run {
 public:
  Run(const Prepared& prepared, StepWatcher& watcher)
      : prepared_(prepared),
        options_(prepared.options),
        state_(prepared.start),
        dynamics_(make_dynamics(prepared)),
        solver_(make_solver(prepared, *dynamics_)),
        modes_(*dynamics_, state_, prepared.options.rtol),
        watcher_(watcher),
        samples_(prepared.system->equations(), prepared.start.t),
        crossings_(*dynamics_),
        peaks_(*dynamics_) {}

  void begin() {
    began_ = std::chrono::steady_clock::now();
    dynamics_->follow_roots(!solver_.integrator->error_controlled());
    dynamics_->project_stages(solver_.integrator->error_controlled());
    if (modes_.any() && !solver_.integrator->error_controlled())
      outcome_.warnings.push_back(
          fmt::format("{} takes comparisons as they come, without locating when they change; "
                      "an error-controlled integrator (dopri5) stops at each change",
                      options_.integrator));
    samples_.take(state_, dynamics_->evaluator());
    if (solver_.integrator->error_controlled()) modes_.begin();
    restart();
    if (crossings_.any()) crossings_.begin(state_.t, state_.x);
    if (peaks_.any()) peaks_.begin(state_.t, state_.x);
    watcher_.begin(*dynamics_, state_);
  }

  double t() const { return state_.t; }
  long steps() const { return solver_.integrator->statistics().steps; }

  StepStatus step() { return solver_.integrator->step(std::min(options_.end, samples_.next())); }

  // What is seen ends with the step, or with a change of a comparison inside it.
  void finish_step() {
    std::optional<double> change;
    if (modes_.any() && solver_.integrator->error_controlled()) change = modes_.find_change(*solver_.integrator);
    const double until = change.value_or(solver_.integrator->t());
    enough_ = !watcher_.step(*solver_.integrator, until);
    if (crossings_.any()) crossings_.find(*solver_.integrator, until, outcome_.events);
    if (peaks_.any()) peaks_.find(*solver_.integrator, until);
    if (change && *change < solver_.integrator->t()) {
      solver_.integrator->interpolate(*change, state_.x);
      dynamics_->project(*change, state_.x.data(), nullptr);
    } else {
      state_.x = solver_.integrator->x();
    }
    changes_without_progress_ =
        change && until - state_.t < 1e-12 * (1 + std::abs(until)) ? changes_without_progress_ + 1 : 0;
    state_.t = until;
    unwrap_angles();
    if (change) {
      for (RunEvent& event : modes_.change()) outcome_.events.push_back(std::move(event));
      restart();
    }
    if (state_.t < options_.end && samples_.take(state_, dynamics_->evaluator())) {
      dynamics_->set_state(state_);
      if (solver_.integrator->error_controlled()) modes_.jump();
      restart();
    }
  }

  // The index-2 form holds modes as they are: it cannot find the weight of one that slides.
  bool sticks_under_ida() const {
    return solver_.index2 && std::count(state_.mode.begin(), state_.mode.end(), ModeStatus::sliding) > 0;
  }
  bool enough() const { return enough_; }
  bool chatters() const { return changes_without_progress_ > chatter_limit; }

  Outcome end(RunStatus status, std::string sentence) {
    outcome_.status = status;
    outcome_.sentence = std::move(sentence);
    outcome_.last = state_;
    outcome_.peaks = peaks_.peaks();
    const auto& counts = dynamics_->statistics();
    outcome_.statistics.integrator = solver_.integrator->statistics();
    outcome_.statistics.near_singular = counts.near_singular;
    outcome_.statistics.smallest_rank = std::max(0, counts.smallest_rank);
    outcome_.statistics.constraints = prepared_.system->layout().m;
    outcome_.statistics.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    watcher_.report(outcome_.statistics);
    if (status != RunStatus::failed)
      if (std::string advice = step_limit_advice(prepared_, *dynamics_, outcome_); !advice.empty())
        outcome_.warnings.push_back(std::move(advice));
    return outcome_;
  }

  std::string failure(StepStatus status) {
    return why_step_failed(status, *solver_.integrator, *dynamics_, state_, solver_.index2 != nullptr);
  }
  std::string chattering() const {
    return fmt::format(
        "comparisons change without end at t = {:.10g} s: {}; try dopri5, or make what is compared smooth there",
        state_.t, outcome_.events.empty() ? "" : outcome_.events.back().what);
  }

 private:
  void restart() {
    dynamics_->set_state(state_);
    if (solver_.index2) solver_.index2->set_state(state_);
    if (state_.t < options_.end) solver_.integrator->start(state_.t, state_.x);
  }

  void unwrap_angles() {
    if (state_.d.size() == 0) return;
    dynamics_->evaluator().set(state_.t, state_.x.data());
    dynamics_->evaluator().next_discrete(state_.d);
    dynamics_->set_state(state_);
    if (solver_.index2) solver_.index2->set_state(state_);
  }

  const Prepared& prepared_;
  const RunOptions& options_;
  State state_;
  std::unique_ptr<Dynamics> dynamics_;
  Solver solver_;
  Modes modes_;
  StepWatcher& watcher_;
  Samples samples_;
  Crossings crossings_;
  Peaks peaks_;
  Outcome outcome_;
  bool enough_ = false;
  int changes_without_progress_ = 0;
  std::chrono::steady_clock::time_point began_;
};

}  // namespace

Outcome simulate(const Prepared& prepared, Recorder& recorder, const Progress& progress) {
  RowWatcher rows(prepared.options, recorder);
  return follow(prepared, rows, progress);
}

Outcome follow(const Prepared& prepared, StepWatcher& watcher, const Progress& progress) {
  Run run(prepared, watcher);
  run.begin();
  while (run.t() < prepared.options.end) {
    if (run.sticks_under_ida())
      return run.end(RunStatus::failed,
                     fmt::format("at t = {:.10g} s friction or a comparison sticks, which ida cannot hold; "
                                 "use dopri5 or cvode_bdf",
                                 run.t()));
    const StepStatus status = run.step();
    if (status != StepStatus::ok) return run.end(RunStatus::failed, run.failure(status));
    run.finish_step();
    if (run.chatters()) return run.end(RunStatus::failed, run.chattering());
    if (run.enough()) return run.end(RunStatus::finished, fmt::format("all is known at t = {:g} s", run.t()));
    if (progress && !progress(run.t(), run.steps()))
      return run.end(RunStatus::stopped,
                     fmt::format("stopped at t = {:.6g} s of {:g} s", run.t(), prepared.options.end));
  }
  return run.end(RunStatus::finished, fmt::format("reached t = {:g} s", prepared.options.end));
}

}  // namespace armature
