// A run that its host moves forward piece by piece, setting inputs in between.
//
// advance(t) steps until t, where the run pauses. The integrator keeps its step size and its history across pauses; only inputs
// that have changed restart it. What is sampled at the time of a pause is taken when the run goes on, so that it follows the
// inputs that were set there. Everything else follows an input as soon as somebody looks: comparisons are settled with it, and the
// energy that it brings into the machine (a mass, a stiffness) counts as work of the host.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "observe/event_watcher.hpp"
#include "observe/latest_row.hpp"
#include "observe/recorded_rows.hpp"
#include "prepare/setup.hpp"
#include "record/recorder.hpp"
#include "run/run.hpp"

namespace armature::internal {

class PausedRun {
 public:
  // prepared: with its start assembled. recorder: rows at the times of prepared.options.record; null: nothing is recorded.
  PausedRun(Prepared prepared, Recorder* recorder);
  PausedRun(const PausedRun&) = delete;
  ~PausedRun();
  void warn_with(Warn warn) { warn_ = std::move(warn); }  // before it begins: told at once what cannot wait for a pause

  bool advance(double t);  // to t, at which the run pauses; false: it has ended before, see outcome()
  // The same, but no farther than to the first event: a comparison changes, an event of the file happens, a sample is due.
  bool advance_to_event(double t);
  bool step(double until);  // one step of the integrator, not beyond `until`

  const State& state() const { return run_ ? run_->state() : prepared_.start; }
  const Prepared& prepared() const { return prepared_; }
  const Eigen::VectorXd& parameters() const { return parameters_; }
  void set_parameter(int index, double value);
  void set_state(const State& state);  // goes on from there; it must satisfy the constraints

  // Channels at the present state, as a row of a recording.
  const std::vector<Channel>& channels() const { return row_.channels; }
  const std::vector<double>& values();

  std::vector<RunEvent> events() const;                                       // so far, in the order of time
  Findings laws_met() const { return run_ ? run_->laws_met() : Findings(); }  // so far
  const IntegratorStatistics& statistics() const { return solver_.integrator->statistics(); }
  const std::optional<Outcome>& outcome() const { return outcome_; }  // where the run has ended by itself
  const Outcome& finish();                      // the recording is complete then; nothing can be advanced any more
  const Outcome& stop(const std::string& why);  // the same, before its time
  const Outcome& fail(const std::string& why);  // the same, where something outside of the run has failed

 private:
  const Outcome& end(RunStatus status, const std::string& sentence);
  void make_engine();  // of prepared_.start; it remembers nothing of another motion
  void begin();
  void take_inputs();
  void settle_at_start(State& shown);
  void go_on(double until);
  bool take_step();

  Prepared prepared_;
  Eigen::VectorXd parameters_;  // those that the host has set; prepared_.parameters: those in force
  std::unique_ptr<Dynamics> dynamics_;
  Solver solver_;
  std::unique_ptr<EventWatcher> watcher_;
  LatestRow row_;
  std::optional<RecordedRows> rows_;
  bool row_is_known_ = false;
  Warn warn_;
  std::unique_ptr<Run> run_;  // from the first piece on
  std::optional<Outcome> outcome_;
};

}  // namespace armature::internal
