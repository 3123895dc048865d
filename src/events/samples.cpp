#include "events/samples.hpp"

#include <algorithm>
#include <limits>

namespace armature::internal {

using step::SampleClock;

Samples::Samples(const Equations& equations, double t_start) {
  for (const Discrete& value : equations.discrete) {
    const auto same = [&](const SampleClock& clock) {
      return clock.period == value.period && clock.offset == value.offset;
    };
    if (value.period == 0 || std::ranges::any_of(clocks_, same)) continue;
    clocks_.push_back(SampleClock::from(value.period, value.offset, t_start));
  }
}

double Samples::next() const {
  double time = std::numeric_limits<double>::infinity();
  for (const SampleClock& clock : clocks_) time = std::min(time, clock.time());
  return time;
}

bool Samples::due(double t) const {
  return std::ranges::any_of(clocks_, [&](const SampleClock& clock) { return clock.due(t); });
}

bool Samples::due(const Discrete& value, double t) const {
  return std::ranges::any_of(clocks_, [&](const SampleClock& clock) {
    return clock.period == value.period && clock.offset == value.offset && clock.due(t);
  });
}

bool Samples::take(State& state, SystemEvaluator& evaluator) {
  bool taken = false;
  for (SampleClock& clock : clocks_) {
    if (!clock.due(state.t)) continue;
    if (!taken) {
      evaluator.set(state.t, state.x.data());
      evaluator.set_discrete(state.d);
    }
    evaluator.sample(clock.period, clock.offset, state.d);
    clock.tick();
    taken = true;
  }
  return taken;
}

}  // namespace armature::internal
