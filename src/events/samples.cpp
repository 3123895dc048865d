#include "events/samples.hpp"

#include <algorithm>

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

double Samples::next() const { return step::next_sample(clocks_, count()); }

bool Samples::due(double t) const { return step::sample_due(clocks_, count(), t); }

bool Samples::due(const Discrete& value, double t) const {
  return std::ranges::any_of(clocks_, [&](const SampleClock& clock) {
    return clock.period == value.period && clock.offset == value.offset && clock.due(t);
  });
}

bool Samples::take(State& state, SystemEvaluator& evaluator) {
  const auto look = [&] {
    evaluator.set(state.t, state.x.data());
    evaluator.set_discrete(state.d);
  };
  const auto take = [&](int k) {
    SampleClock& clock = clocks_[static_cast<std::size_t>(k)];
    evaluator.sample(clock.period, clock.offset, state.d);
    clock.tick();
  };
  return step::take_samples(clocks_, count(), state.t, look, take);
}

}  // namespace armature::internal
