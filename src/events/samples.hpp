// Discrete values that change at samples: clocks that tick at offset + k period, and what is due at a tick.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "step/sample_clock.hpp"
#include "system/state.hpp"
#include "system/system.hpp"

namespace armature::internal {

class Samples {
 public:
  Samples(const Equations& equations, double t_start);
  bool any() const { return !clocks_.empty(); }
  double next() const;  // time of the next tick; infinite: there is none

  bool due(double t) const;
  bool due(const Discrete& value, double t) const;
  // Takes what is due at state.t, all from the values before it; false: nothing is.
  bool take(State& state, SystemEvaluator& evaluator);

 private:
  int count() const { return static_cast<int>(clocks_.size()); }

  std::vector<step::SampleClock> clocks_;
};

}  // namespace armature::internal
