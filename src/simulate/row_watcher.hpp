// Rows at t_start + k record, from the dense output of the steps; the last one at the end.
#pragma once

#include <optional>

#include "record/recorder.hpp"
#include "simulate/options.hpp"
#include "simulate/rows.hpp"
#include "simulate/watcher.hpp"

namespace armature {

class RowWatcher final : public StepWatcher {
 public:
  RowWatcher(const RunOptions& options, Recorder& recorder) : options_(options), recorder_(recorder) {}
  void begin(Dynamics& dynamics, const State& start) override;
  bool step(const Integrator& integrator, double until) override;
  void report(RunStatistics& statistics) const override;

 private:
  double next_time() const;

  const RunOptions& options_;
  Recorder& recorder_;
  Dynamics* dynamics_ = nullptr;
  std::optional<Rows> rows_;
  Eigen::VectorXd row_;
  double t_start_ = 0, last_ = 0;  // last: time of the last row
  long count_ = 0;
};

}  // namespace armature
