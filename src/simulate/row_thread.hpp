// Rows beside the run. The run's thread only says where a row is due, and what holds there; a thread with a Dynamics of its
// own projects the state, solves for the multipliers, evaluates the rest and records. The numbers are those that the run's
// Dynamics would have given.
#pragma once

#include <memory>
#include <optional>

#include "dynamics/dynamics.hpp"
#include "record/block_thread.hpp"
#include "simulate/prepare.hpp"
#include "simulate/rows.hpp"

namespace armature {

class RowThread {
 public:
  // Another core is free for it, and a row depends on nothing that the run's Dynamics remembers of evaluations before.
  static bool possible(const RunOptions& options, const Dynamics& run);

  // All is kept by reference; run: that of the run, with which every row is added.
  RowThread(const Prepared& prepared, Dynamics& run, Recorder& recorder, Rows::Known known);

  // A row at x, once it is projected or as it is, with the discrete values and modes of the run's Dynamics now. The first is
  // that of the start. Throws what recording threw.
  void add(double t, const Eigen::VectorXd& x, bool project);

  void start() { thread_.hand_over(); }    // with the first row, so that the thread gets ready while the run goes on
  void finish(RunStatistics& statistics);  // all rows are recorded; throws what recording threw

 private:
  void record(const std::vector<double>& points);
  void begin();  // with the first point
  void take(const double* point);

  const Prepared& prepared_;
  Dynamics& run_;
  Recorder& recorder_;
  const Rows::Known known_;
  const bool project_stages_;
  const Layout n_;
  const std::size_t width_;  // numbers of a point

  // the thread's own
  std::unique_ptr<Dynamics> dynamics_;
  std::optional<Rows> rows_;
  State state_;

  BlockThread thread_;  // of points: t, whether to project, ProjectionBeginning, x, d, w
};

}  // namespace armature
