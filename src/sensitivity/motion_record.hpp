// A motion as it was computed, to be gone through backwards: pieces of steps, each with its dense output as polynomials of time, and the
// events and samples between them. A StepWatcher owns one, and passes on what it is told.
//
//   set(…)   begin   step   [changing | sampling]   restarted   step …
//
// Memory is bounded. Where a motion needs more, its beginning is dropped. The motion is the same in every run, bit for bit, so that what is
// missing is recorded by another run, which ends where the known part begins.
#pragma once

#include <Eigen/Core>
#include <deque>
#include <memory>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "events/samples.hpp"
#include "integrate/integrator.hpp"
#include "prepare/prepare.hpp"
#include "sensitivity/saltation.hpp"

namespace armature::internal {

// x over one step: sum_k c_k u^k with u = (t - middle)/length.
class PolynomialPath {
 public:
  explicit PolynomialPath(const Step& step);
  void operator()(double t, Eigen::VectorXd& x) const;
  std::size_t numbers() const { return static_cast<std::size_t>(c_.size()); }

 private:
  void fit(const Step& step);  // where the dense output is no polynomial

  double middle_, length_;
  Eigen::MatrixXd c_;  // a column for each power
};

// One after the other, as the motion went.
struct RecordedPiece {
  double from = 0, until = 0;
  std::shared_ptr<const PolynomialPath> path;
  std::shared_ptr<const State> held;  // discrete values and outcomes; t and x are not looked at
};
struct RecordedEvent {
  State before, after;
  RootHistory roots;
};
struct RecordedSample {
  State seen;
  std::vector<bool> due;            // discrete values that were taken
  std::vector<int> sticks_at_once;  // comparisons that slide from here on without an event of their own
};
struct RecordEntry {
  std::unique_ptr<const RecordedPiece> piece;
  std::unique_ptr<const RecordedEvent> event;
  std::unique_ptr<const RecordedSample> sample;
};

class MotionRecord {
 public:
  static constexpr std::size_t usual_limit = std::size_t{1} << 27;  // numbers: 1 GiB

  explicit MotionRecord(const std::shared_ptr<const System>& system, std::size_t limit = usual_limit);

  // prepared: the run, with its start as assembled. Entries from `end` on are not kept.
  void set(const Prepared& prepared, long end);
  void begin(Dynamics& dynamics, const State& state);  // state: that of the run, which moves on
  bool begun() const { return dynamics_ != nullptr; }
  void step(const Step& step, double until);
  void changing();
  void sampling(const Samples& samples);
  bool restarted();                                 // whether an event has taken place: the last entry
  bool complete() const { return count_ >= end_; }  // nothing more is kept

  long count() const { return count_; }  // entries that were seen
  // Of them, [first(), last()) are kept.
  long first() const { return first_; }
  long last() const { return first_ + static_cast<long>(entries_.size()); }
  const RecordEntry& operator[](long k) const { return entries_[static_cast<std::size_t>(k - first_)]; }
  double sliding_rate() const { return sliding_rate_; }
  const State& start() const { return start_; }  // as assembled

 private:
  void add(RecordEntry entry, std::size_t numbers);
  void hold();
  void look_at_roots(const State& state);

  SystemEvaluator evaluator_;
  std::size_t limit_;
  long end_ = 0, first_ = 0, count_ = 0;
  std::deque<RecordEntry> entries_;
  std::deque<std::size_t> sizes_;
  std::size_t numbers_ = 0;
  Dynamics* dynamics_ = nullptr;
  const State* moving_ = nullptr;
  State start_, held_;
  std::shared_ptr<const State> shared_held_;
  std::shared_ptr<const PolynomialPath> path_;
  double path_end_ = 0, path_begin_ = 0;
  double sliding_rate_ = 1;
  RootHistory roots_;
  Eigen::VectorXd root_;
  std::unique_ptr<RecordedEvent> event_;
  std::unique_ptr<RecordedSample> sample_;
};

}  // namespace armature::internal
