// Gathers the functionals of a motion while it is computed, from the dense output of each step: extremes between its
// samples are sought, integrals taken by Boole's rule, conditions change only at located events. Formulas that may be faster than
// the steps are followed by their ranges (signal_search.hpp).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "events/path_ranges.hpp"
#include "observe/motion_checks.hpp"
#include "observe/watcher.hpp"
#include "study/interval.hpp"
#include "study/motion_formula.hpp"
#include "study/signal_search.hpp"
#include "study/undefined_results.hpp"
#include "system/outcomes_read.hpp"

namespace armature::internal {

class MotionWatcher : public SamplingWatcher {
 public:
  // observed: the observed formulas as a program of the system's inputs (Layout).
  MotionWatcher(const std::vector<Functional>& functionals, std::shared_ptr<const Program> observed, double end);

  // What the next motion is one of: kept by reference.
  void set_motion(const Prepared& prepared) { prepared_ = &prepared, parameters_ = prepared.parameters; }
  void set_integral_share(double share) { integral_share_ = share; }  // of the tolerance of integrals
  void begin(Dynamics& dynamics, const Integrator& integrator, const State& start) override;
  bool step(const Integrator& integrator, double until) override;
  void sample_times(double until, double* t) const override;
  int first_sample() const override { return first_sample_; }
  bool step_sampled(const Integrator& integrator, double until, const double* outputs) override;
  void report(Outcome& outcome) override {
    if (checks_) checks_->finish(outcome);
  }
  bool wants_words() const override { return false; }

  // Whether a formula is followed by its ranges as well. A coordinate is as smooth as the step that was taken for it; a formula need not
  // be.
  static bool is_formula(const step::Measured& functional, const Program& observed);
  static bool follows_ranges(const step::Measured& functional, const Program& observed);

  // What a functional can still become, while the motion goes on.
  Interval bounds(int functional) const;
  // What it is, at the end of the motion.
  double value(int functional) const;
  // All of them, and when those that have no value lost it.
  Functionals functionals_at_end() const;
  double t() const { return t_; }

 protected:
  virtual bool enough() const { return false; }  // asked after each step
  const std::vector<Functional>& functionals() const { return functionals_; }
  double initial(std::size_t functional) const { return known_[functional].initial; }
  double largest(std::size_t functional) const { return known_[functional].largest; }
  double smallest(std::size_t functional) const { return known_[functional].smallest; }
  double first(std::size_t functional) const { return known_[functional].first; }
  double last(std::size_t functional) const { return known_[functional].final_time; }
  double when_largest(std::size_t functional) const { return known_[functional].t_largest; }
  double when_smallest(std::size_t functional) const { return known_[functional].t_smallest; }

 private:
  double integral_share_ = 1;
  class Piece;  // Path of step::Gathering
  bool look(const Integrator& integrator, double until, const double* outputs);
  void observe(double t);  // at x_, into y_
  bool solves_weights() const { return slide(seen_, *state_); }
  const Eigen::VectorXd& weights_at(double t);  // at x_
  void restore_weights();
  void observe_on(const Integrator& integrator, double t);
  void begin_ranges(const Integrator& integrator);

  const std::vector<Functional>& functionals_;
  Evaluator observed_;
  double end_;
  int count_;             // observed formulas
  int first_sample_ = 0;  // the last one where only ends of steps are looked at
  Eigen::VectorXd parameters_, x_;
  Eigen::VectorXd weights_;  // outcomes of comparisons, at the end of the piece
  std::vector<int> seen_;    // comparisons that the observed formulas depend on
  const Prepared* prepared_ = nullptr;
  Dynamics* dynamics_ = nullptr;
  const State* state_ = nullptr;
  double t_start_ = 0, t_ = 0;
  std::vector<double> in_, y_, y_samples_, y_window_;
  std::optional<PathRanges> ranges_;   // of the observed formulas
  bool has_ranges_ = false;            // over the piece
  std::vector<step::Gathered> known_;  // one per functional
  std::optional<MotionChecks> checks_;
};

}  // namespace armature::internal
