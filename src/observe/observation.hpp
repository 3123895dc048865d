// All that is recorded and listed of a run, and that its motion does not depend on: rows at t_start + k record and at the end,
// zeros of events, peaks of currents, the smallest rank. It sees step after step: in the run's thread, or beside it with a
// Dynamics of its own (observation_thread.hpp).
#pragma once

#include <vector>

#include "dynamics/dynamics.hpp"
#include "events/crossings.hpp"
#include "expression/last_moment.hpp"
#include "integrate/step.hpp"
#include "observe/motion_checks.hpp"
#include "observe/outcome.hpp"
#include "observe/peaks.hpp"
#include "observe/rank_dips.hpp"
#include "observe/recorded_rows.hpp"
#include "observe/slope_check.hpp"
#include "prepare/prepare.hpp"
#include "record/recorder.hpp"

namespace armature::internal {

class Observation {
 public:
  enum class Lists { none, peaks, all };  // all: of zeros, peaks, ranks

  // All is kept by reference.
  Observation(const Prepared& prepared, Dynamics& dynamics, Recorder& recorder, Lists lists);

  void begin(const State& start);  // as it is set in the dynamics
  // From where the last call ended to `until`, inside a step, with what is set in the dynamics. pivot: the smallest of the
  // accelerations at the end of the step; anew: the laws of the motion have changed where the last call ended.
  void see(const Step& step, double until, double pivot, bool anew);
  void receive(double work) { rows_.receive(work), checks_.receive(work); }  // of the host, J
  const std::vector<RunEvent>& events() const { return events_; }            // zeros so far
  void report(Outcome& outcome);
  bool gives_up();  // who stopped the run has waited for a moment: what is left to see is not wanted any more

 private:
  void write_rows(const Step& step, double until);
  double next_time() const;  // of a row

  const Prepared& prepared_;
  const RunOptions& options_;
  Dynamics& dynamics_;
  RecordedRows rows_;
  MotionChecks checks_;
  SlopeCheck slope_check_;
  Crossings crossings_;
  Peaks peaks_;
  RankDips rank_dips_;
  bool lists_crossings_, lists_peaks_, lists_rank_;
  std::vector<RunEvent> events_;
  Eigen::VectorXd x_;
  double t_start_ = 0, last_ = 0;  // last: time of the last row
  long count_ = 0;
  LastMoment moment_;
  bool gave_up_ = false;
};

}  // namespace armature::internal
