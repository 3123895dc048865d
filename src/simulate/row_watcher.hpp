// Rows at t_start + k record, from the dense output of the steps; the last one at the end. They are evaluated in the run's
// thread, or beside it where that is possible.
#pragma once

#include <optional>

#include "record/recorder.hpp"
#include "simulate/prepare.hpp"
#include "simulate/row_thread.hpp"
#include "simulate/rows.hpp"
#include "simulate/watcher.hpp"

namespace armature {

class RowWatcher final : public StepWatcher {
 public:
  enum class Thread { run, beside };
  RowWatcher(const Prepared& prepared, Recorder& recorder, Thread thread)
      : prepared_(prepared), options_(prepared.options), recorder_(recorder), wanted_(thread) {}
  void begin(Dynamics& dynamics, const State& start) override;
  bool step(const Integrator& integrator, double until) override;
  void report(RunStatistics& statistics) override;

 private:
  double next_time() const;
  void write(double t, bool project);  // at x_

  const Prepared& prepared_;
  const RunOptions& options_;
  Recorder& recorder_;
  const Thread wanted_;
  Dynamics* dynamics_ = nullptr;
  std::optional<Rows> rows_;  // one of these two
  std::optional<RowThread> beside_;
  Eigen::VectorXd x_;
  double t_start_ = 0, last_ = 0;  // last: time of the last row
  long count_ = 0;
};

}  // namespace armature
