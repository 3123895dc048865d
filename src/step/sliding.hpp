// The weight of one comparison that slides, in each of W lanes. A comparison slides while both of its branches push the state back to
// root = 0; its weight w is then whatever keeps it there:
//
//   residual(w) = d(root)/dt + rate root = 0
//
// The accelerations are affine in w as a rule, so that one more evaluation gives the slope; the solution is corrected once where
// they are not. The slope is negative: a larger weight pushes the root down. Where it is not, the weight has lost its hold on the
// root. That case, and several comparisons that slide at once, are for the full engine (dynamics/sliding.hpp).
#pragma once

#include "step/pivots.hpp"

namespace armature::step {

namespace sliding {
inline constexpr double affine = resolved(1e-10);  // what may be left of the first residual; else one more correction
ARMATURE_STEP bool holds(double slope) { return slope < -1e-100 && slope > -1e100; }
}  // namespace sliding

// Model: a KernelEvaluator<W>. Regular: lanes in which an acceleration is all that there is to do (motion.hpp).
template <int W, class Model>
class Sliding {
 public:
  ARMATURE_STEP explicit Sliding(Model& model) : model_(model) {
    for (int k = 0; k < W; ++k) comparison_[k] = -1;
  }

  ARMATURE_STEP void set(int k, int comparison, double rate) {  // -1: none in this lane, or several
    comparison_[k] = comparison;
    rate_[k] = rate;
    lanes_ = comparison >= 0 ? lanes_ | lane_bit<W>(k) : without(lanes_, lane_bit<W>(k));
  }
  ARMATURE_STEP Mask<W> lanes() const { return lanes_; }
  ARMATURE_STEP int comparison(int k) const { return comparison_[k]; }
  ARMATURE_STEP double weight(int k) const { return model_.weights()[comparison_[k]][k]; }

  // At the states that are set: weights of 1/2 in some lanes; and from the acceleration with these, after which the weights are
  // as found. accelerate(lanes): runs the kernel; take(lanes, view): keeps its rates; both return the lanes in which it is
  // regular. Returns the lanes in which the weight was found; in the others nothing is to be used.
  ARMATURE_STEP void begin(Mask<W> lanes) {
    set_weights(lanes, 0.5);
    const Row<W>* roots = model_.roots();
    for_each<W>(lanes, [&](int k) { root_[k] = roots[comparison_[k]][k]; });
  }

  template <class Residual>
  ARMATURE_STEP Mask<W> finish(Mask<W> lanes, Row<W> residual, const Residual& residual_at) {
    // the slope, from the weights 1/2 and 1
    Row<W> other{}, slope{}, size{};
    set_weights(lanes, 1);
    lanes = residual_at(lanes, other, false);
    set_weights(lanes, 0.5);
    for_each<W>(lanes, [&](int k) { slope[k] = 2 * (other[k] - residual[k]), size[k] = absolute(residual[k]); });
    lanes = those<W>(lanes, [&](int k) { return sliding::holds(slope[k]); });
    // the weight without residual, corrected once where that was not affine
    Mask<W> open = lanes;
    for (int pass = 0; pass < 2 && open; ++pass) {
      for_each<W>(open, [&](int k) { model_.weights()[comparison_[k]][k] += -residual[k] / slope[k]; });
      const Mask<W> found = residual_at(open, residual, true);
      lanes = without(lanes, without(open, found));
      open = those<W>(found, [&](int k) { return !(absolute(residual[k]) <= sliding::affine * size[k]); });
    }
    return lanes;
  }

  // d(root)/dt + rate root with an acceleration; returns the lanes in which it is finite.
  ARMATURE_STEP Mask<W> residual(Mask<W> lanes, const Row<W>* vdot, Row<W>& result) {
    const Row<W>* rates = model_.root_rates(vdot);
    for_each<W>(lanes, [&](int k) { result[k] = rates[comparison_[k]][k] + rate_[k] * root_[k]; });
    return those<W>(lanes, [&](int k) { return step::finite(result[k]); });
  }

 private:
  ARMATURE_STEP void set_weights(Mask<W> lanes, double weight) {
    for_each<W>(lanes, [&](int k) { model_.weights()[comparison_[k]][k] = weight; });
  }

  Model& model_;
  int comparison_[W];
  Mask<W> lanes_ = 0;
  Row<W> root_{}, rate_{};
};

}  // namespace armature::step
