// How far the comparisons of one run are from their changes.
//
//   holds an outcome   by the sign of its root. It was set at a zero: until its root has been clearly on its side (it is armed
//                      from then on), the root may be on the other one by as much as round-off and the integrator err.
//   slides             by its weight, which must stay within its range
//
// Engine, of one run:
//   const double* roots(t, x)          event functions there, with the weights as they are
//   const double* roots_with(w)        the same at that state with other weights, which are not kept
//   const double* root_rates()         d(root)/dt with the last acceleration
//   double largest_acceleration()
//   bool derivative(t, x)              accelerations, and the weights of what slides
//   const double* weights()            of all comparisons; of sliding ones as found last
//   const double* weights_at(t, x)     those that slide found there
//   bool has_weights_at(t, x)          they were found there last
//   bool passes_whatever_the_weights(t, x)   no weights hold all that slide there; false: that is not known
//   void set_weight(k, weight)         of a comparison that slides, as found elsewhere
//   void take_outcomes()               status and weights have changed
//   void changed(k, weight, status)    what the comparison was before
//   bool begin_ranges(step), ranges()  of the roots over parts of the step (zero_crossings.hpp)
//   bool stays_clear(comparisons, guards, count)   no guard becomes negative in that step, by their roots at its ends; false: not known
//
// Step, the last one: previous_t(), t(), x(), and at(t): x there.
#pragma once

#include "step/called.hpp"
#include "step/comparison.hpp"
#include "step/root_noise.hpp"
#include "step/zero_crossings.hpp"

namespace armature::step {

namespace events {
// Of a root, against the largest it has been; or what the integrator may err by, if more.
inline constexpr double round_off = resolved(1e-12);
}  // namespace events

// Changes of a comparison that only round-off decides.
struct Flutter {
  double farthest = 0;  // |root| since the outcome was set
  int changes = 0;      // in a row
};

// What a search for changes knows from step to step, beside the comparisons: for one that is made anew.
struct SearchMemory {
  bool knows_weight_margin = false;
  double weight_margin = 0;  // at the end of the last step
  double pace = 0;           // of the walk along weights, s; 0: not known yet
  int fired = 0;             // the comparison that the last change was found for
};

// As many comparisons, twice as many guards, entries of x, outcomes, and as many flutters as comparisons (null: they are not counted).
struct EventMemory {
  Comparison* comparisons;
  Guard* guards;
  double *x, *outcomes;
  Flutter* flutters = nullptr;
};

template <class Engine>
class ComparisonMargins {
 public:
  // status, weight: of the state of the run. rtol: of its integrator.
  ARMATURE_STEP ComparisonMargins(Engine& engine, const EventSizes& sizes, const EventMemory& memory,
                                  ComparisonStatus* status, double* weight, double rtol)
      : engine_(engine),
        n_(sizes),
        comparisons_(memory.comparisons),
        status_(status),
        weight_(weight),
        relative_noise_(larger(events::round_off, rtol)) {}

  ARMATURE_STEP bool sliding() const {
    for (int k = 0; k < n_.comparisons; ++k)
      if (slides(k)) return true;
    return false;
  }

 protected:
  ARMATURE_STEP bool is_floor(int k) const { return comparisons_[k].kind == ComparisonKind::floor; }
  ARMATURE_STEP bool slides(int k) const { return status_[k] == ComparisonStatus::sliding; }

  // By which a root may be on the other side until it is armed. While a comparison slides its root drifts by what the integrator errs;
  // it then leaves from there, not from zero. A root that passes through zero leaves it by itself, however small the largest
  // value is that it will reach. The argument of a floor is measured by the distance of integers.
  ARMATURE_STEP double tolerance(int k) const {
    const Comparison& comparison = comparisons_[k];
    const double least = larger(comparison.slack, comparison.noise);
    return comparison.crosses ? least : larger(relative_noise_ * (is_floor(k) ? 1 : comparison.scale), least);
  }

  ARMATURE_CALLED void evaluate_roots(double t, const double* x) { take_roots(engine_.roots(t, x)); }
  ARMATURE_CALLED void evaluate_margins(double t, const double* x) {
    if (sliding() && !engine_.has_weights_at(t, x)) engine_.derivative(t, x);
    evaluate_roots(t, x);
    take_weight_margins(engine_.weights());
  }

  ARMATURE_STEP void take_roots(const double* roots) {
    for (int k = 0; k < n_.comparisons; ++k) {
      Comparison& comparison = comparisons_[k];
      comparison.root = roots[k];
      comparison.margin = slides(k) ? 0 : root_margin(k);
    }
  }
  ARMATURE_STEP void take_weight_margins(const double* weights) {
    for (int k = 0; k < n_.comparisons; ++k)
      if (slides(k)) comparisons_[k].margin = weight_margin(weights, k);
  }

  // The weight may leave (0,1) by as much as stiction exceeds friction.
  ARMATURE_STEP double weight_margin(const double* weights, int k) const {
    return 0.5 * comparisons_[k].breakaway - absolute(weights[k] - 0.5);
  }
  ARMATURE_STEP double weight_margin(const double* weights) const {  // the least of those that slide
    double least = infinity;
    for (int k = 0; k < n_.comparisons; ++k)
      if (slides(k)) least = smaller(least, weight_margin(weights, k));
    return least;
  }

  Engine& engine_;
  EventSizes n_;
  Comparison* comparisons_;
  ComparisonStatus* status_;
  double* weight_;

 private:
  ARMATURE_STEP double root_margin(int k) const {
    const double root = comparisons_[k].root, n = weight_[k];
    const double margin = is_floor(k)                             ? smaller(root - n, n + 1 - root)
                          : status_[k] == ComparisonStatus::above ? root
                                                                  : -root;
    return comparisons_[k].armed ? margin : margin + tolerance(k);
  }

  double relative_noise_;  // of a root, against the largest it has been
};

}  // namespace armature::step
