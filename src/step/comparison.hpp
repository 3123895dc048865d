// A comparison or a floor of the model. Between events its outcome is held, and the right-hand side is smooth. Its event function is
// its root: what is compared with zero, or the argument of the floor.
#pragma once

#include "step/scalar.hpp"

namespace armature::step {

enum class ComparisonKind : char {
  at_least,  // 1 where root >= 0
  above,     // 1 where root > 0: differs from the former where the root is exactly zero
  floor,     // floor(root)
};

// Below (0), above (1), or sliding along root = 0 with a weight between. A floor is always above: its outcome is its weight.
enum class ComparisonStatus : char { below, above, sliding };

ARMATURE_STEP double outcome_of(ComparisonKind kind, double root) {
  if (kind == ComparisonKind::floor) return rounded_down(root);
  return (kind == ComparisonKind::at_least ? root >= 0 : root > 0) ? 1 : 0;
}
ARMATURE_STEP ComparisonStatus status_of(ComparisonKind kind, double outcome) {
  return kind == ComparisonKind::floor || outcome == 1 ? ComparisonStatus::above : ComparisonStatus::below;
}

// What a run knows of a comparison beside its status and weight.
struct Comparison {
  ComparisonKind kind = ComparisonKind::at_least;
  double breakaway = 1;  // how far the weight may leave (0, 1) before sliding ends: stiction over sliding friction
  double root = 0;       // where it was evaluated last
  double margin = 0;     // how far it is from its change; negative: it must change
  double end_root = 0, end_margin = 0;    // at the end of the step
  double from_margin = 0, to_margin = 0;  // at both ends of a part of the step
  double scale = 0;                       // the largest |root| seen
  double slack = 0;                       // twice as far as the root was on the other side when the outcome was set
  double noise = 0, slope = 0;            // what round-off makes of the root; sum of |d root/d v_i|
  double before_jump = 0;                 // the root before a jump that it may follow
  double held_root = 0, held_margin = 0, held_weight = 0;  // at a change, while others change
  ComparisonStatus held_status = ComparisonStatus::below;
  bool armed = false;    // the root has been clearly on its side since the outcome was set
  bool crosses = false;  // it was set where the root passes through zero at a rate that is no round-off
  bool chosen = false;   // one of several that come to rest together, or that stay at zero
  ARMATURE_STEP void take_as_end() { end_root = root, end_margin = margin; }
};

}  // namespace armature::step
