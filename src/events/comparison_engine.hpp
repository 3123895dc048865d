// What the step kernel asks of one run to find and settle changes of its outcomes (step/comparison_margins.hpp): the run's
// Dynamics evaluates, its state holds the outcomes.
#pragma once

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "events/clear_steps.hpp"
#include "events/run_event.hpp"
#include "integrate/integrator.hpp"
#include "step/root_noise.hpp"
#include "system/state.hpp"

namespace armature::internal {

// The last step of an integrator.
class LastStep {
 public:
  LastStep(const Integrator& integrator, Eigen::VectorXd& x) : integrator_(integrator), x_(x) {}
  double previous_t() const { return integrator_.previous_t(); }
  double t() const { return integrator_.t(); }
  const double* x() const { return integrator_.x().data(); }
  const double* at(double t) const {
    integrator_.interpolate(t, x_);
    return x_.data();
  }
  const Integrator& integrator() const { return integrator_; }

 private:
  const Integrator& integrator_;
  Eigen::VectorXd& x_;
};

class ComparisonEngine {
 public:
  using Ranges = PathRanges;
  ComparisonEngine(Dynamics& dynamics, State& state);  // kept by reference

  const double* roots(double t, const double* x);
  const double* roots_with(const double* outcomes);
  const double* root_rates();
  double largest_acceleration() const { return dynamics_.acceleration().vdot.lpNorm<Eigen::Infinity>(); }
  bool derivative(double t, const double* x) { return dynamics_.derivative(t, x, xdot_.data()); }
  const double* weights() const { return dynamics_.weights().data(); }
  const double* weights_at(double t, const double* x) { return dynamics_.engine().weights_at(t, x).data(); }
  bool has_weights_at(double t, const double* x) const { return dynamics_.comparisons().are_solved_at(t, x); }
  bool passes_whatever_the_weights(double, const double*) const { return false; }  // the weights tell
  void set_weight(int k, double weight) { dynamics_.comparisons().set_weight(k, weight); }
  void take_outcomes() { dynamics_.set_state(state_); }
  void changed(int k, double weight, ComparisonStatus status);  // adds an event, in words
  bool begin_ranges(const LastStep& step) { return ranges_.begin(step.integrator(), dynamics_.evaluator().inputs()); }
  PathRanges& ranges() { return ranges_; }
  bool stays_clear(const step::Comparison* comparisons, const step::Guard* guards, int count) {
    for (Eigen::Index k = 0; k < end_roots_.size(); ++k) end_roots_[k] = comparisons[k].end_root;
    return clear_.contain(dynamics_.evaluator().inputs(), end_roots_.data(), guards, count);
  }
  long range_evaluations() const { return ranges_.evaluations() + clear_.boxes(); }  // of the roots, so far
  void forget_beginning() { clear_.forget(); }                                       // roots have jumped

  step::EventSizes sizes() const;
  void take_state_sizes();        // of the machine in the state that is set
  std::string name(int k) const;  // of a comparison
  void be_quiet() { quiet_ = true; }
  std::vector<RunEvent> take_events() { return std::exchange(events_, {}); }

 private:
  const Graph::Comparison& comparison(int k) const {
    return dynamics_.system().equations().graph->comparisons()[std::size_t(k)];
  }

  Dynamics& dynamics_;
  State& state_;
  PathRanges ranges_;
  ClearSteps clear_;
  Eigen::VectorXd roots_, end_roots_, rates_, outcomes_, xdot_, state_sizes_;
  std::vector<RunEvent> events_;
  bool quiet_ = false;
};

}  // namespace armature::internal
