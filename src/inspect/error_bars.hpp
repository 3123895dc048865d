// The errors of a run: beside it, in a thread of its own, a repetition with another integrator, a hundredth of the tolerance and steps
// of half a row at most (repeats.hpp). What differs are the errors of the run, since those of the repetition are far smaller. The run
// itself stays as it is, to the last bit.
//
// Time. The repetition begins with the run and may go on when that has ended for as long as the run has taken, or half a second if
// that is more; with a single core it begins then. What it has not finished by then is not known. ARMATURE_VERIFY=0 in the
// environment leaves repetitions out; with ARMATURE_VERIFY=always they take the time that they need.
//
//   ErrorBars bars(model, prepared, numbers);
//   Outcome outcome = simulate(prepared, bars.beside(recorder), progress);
//   record.errors = bars.end(outcome, results);
#pragma once

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>

#include "inspect/repeated_run.hpp"
#include "model/model.hpp"
#include "record/error_estimate.hpp"

namespace armature::internal {

// Whether errors are wanted, unless a caller says otherwise.
bool errors_are_wanted();

// How long a repetition may go on behind what took so long, s; infinite where ARMATURE_VERIFY asks for it.
double time_for_errors(double seconds);

class ErrorBars {
 public:
  // numbers: of the whole motion; empty: none. All is kept by reference.
  ErrorBars(const Model& model, const Prepared& prepared, NumbersOfMotion numbers = {});
  // Of a motion that `move` computes from a model, such as that of inverse dynamics.
  using Move = std::function<RepeatedRun(const Model&, const Progress&)>;
  ErrorBars(const Model& again, std::string how, Move move);
  ~ErrorBars();
  ErrorBars(const ErrorBars&) = delete;
  ErrorBars& operator=(const ErrorBars&) = delete;

  Recorder& beside(Recorder& recorder);  // for the run

  // When the run has ended. results: its numbers; going: false where nobody waits any more. Nothing: the run did not finish.
  std::optional<ErrorEstimate> end(const Outcome& outcome, const RunRecord::Numbers& results,
                                   const std::function<bool()>& going = {});

 private:
  using Clock = std::chrono::steady_clock;
  void begin(std::function<RepeatedRun()> work);
  bool is_over() const;
  void wait(double seconds, const std::function<bool()>& going);
  std::string missing(const RepeatedRun& repeat, double end) const;
  ErrorEstimate compared(const Outcome& outcome, const RunRecord::Numbers& results, const RepeatedRun& repeat) const;

  const Prepared* prepared_ = nullptr;  // of the run; null: its rows are not compared
  std::string how_;
  Clock::time_point began_ = Clock::now();
  std::atomic<bool> stop_ = false;
  std::atomic<double> until_;         // s since it began
  std::function<bool()> going_ = {};  // asked by a repetition in the caller's own thread
  std::unique_ptr<KeptRows> rows_;
  std::future<RepeatedRun> repeat_;
};

}  // namespace armature::internal
