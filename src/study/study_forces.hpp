// Forces that act for less than a step of a motion on a card (step/narrow_forces.hpp).
#pragma once

#include "step/narrow_forces.hpp"
#include "step/slope_test.hpp"
#include "study/study_model.hpp"
#include "study/study_ranges.hpp"

namespace armature::step {

// Where no formula of the model could hide one.
template <class Plant, bool watches>
struct StudyForces {
  template <class Step>
  ARMATURE_STEP static double find(Step&, StudyDynamics<Plant>&, const StudyState<Plant>&, double) {
    return infinity;
  }
};

template <class Plant>
struct StudyForces<Plant, true> {
  // The moment of the step at which it contradicts the equations; infinite: there is none. Where dense output is not sound the motion leaves.
  template <class Step>
  ARMATURE_CALLED static double find(Step& step, StudyDynamics<Plant>& dynamics, const StudyState<Plant>& s,
                                     double rtol) {
    if (!step.make_dense()) return dynamics.leave(), infinity;
    StudyRanges<typename Plant::WatchedRanges, typename Plant::Functions> ranges;
    ranges.begin(step.dense(), step.ends(), dynamics.model().inputs());
    Slopes<Step> slopes(step, dynamics, s, rtol);
    const double t0 = step.ends().t0[0], t1 = step.ends().t1[0];
    const auto contradicts = [&](double t) { return contradicts_equations(slopes, t0, t1, t); };
    NarrowForces<decltype(ranges)> forces(ranges, {Plant::gates, Plant::terms, Plant::term_count, Plant::term_outputs,
                                                   Plant::term_signs, Plant::term_gates});
    return forces.find(t0, t1, contradicts);
  }

 private:
  // Motion of contradicts_equations().
  template <class Step>
  class Slopes {
   public:
    ARMATURE_STEP Slopes(Step& step, StudyDynamics<Plant>& dynamics, const StudyState<Plant>& s, double rtol)
        : step_(step), dynamics_(dynamics), s_(s), rtol_(rtol) {}

    ARMATURE_CALLED bool evaluate(double t) {
      const double* there = step_.at(t);
      for (int i = 0; i < Plant::nx; ++i) x_[i][0] = there[i];
      return dynamics_.derivative(true, {{t}}, x_, rates_);
    }
    ARMATURE_STEP const double* rates() const { return rates_->lane; }
    ARMATURE_STEP double tolerance(int i) const { return rtol_ * absolute(x_[i][0]) + s_.atol[i]; }
    ARMATURE_CALLED const double* rates_beside(double t, int direction) {
      for (int i = 0; i < Plant::nx; ++i) moved_[i][0] = x_[i][0] + slopes::sign_of(direction, i) * tolerance(i);
      return dynamics_.derivative(true, {{t}}, moved_, moved_rates_) ? moved_rates_->lane : nullptr;
    }
    ARMATURE_STEP static int entries() { return Plant::slope_count; }
    ARMATURE_STEP static int entry(int k) { return Plant::slope_entries[k]; }
    ARMATURE_STEP double length() const { return step_.ends().t1[0] - step_.ends().t0[0]; }
    ARMATURE_CALLED double slope(int k, double t) const {
      const Ends<1> ends = step_.ends();
      Row<1> p[most_powers];
      step_.dense().powers(entry(k), ends.x0, p);
      const double u = (t - 0.5 * (ends.t0[0] + ends.t1[0])) / length();
      double value = 0;
      for (int power = step_.dense().columns(); power > 0; --power) value = u * value + power * p[power][0];
      return value / length();
    }

   private:
    static constexpr int most_powers = 9;
    Step& step_;
    StudyDynamics<Plant>& dynamics_;
    const StudyState<Plant>& s_;
    double rtol_;
    Row<1> x_[Plant::nx + 1], rates_[Plant::nx + 1], moved_[Plant::nx + 1], moved_rates_[Plant::nx + 1];
  };
};

}  // namespace armature::step
