#include "simulate/samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace armature {

namespace {

constexpr double same_time = 1e-9;  // of a period

}  // namespace

Samples::Samples(const Equations& equations, double t_start) {
  for (const Discrete& value : equations.discrete) {
    const auto same = [&](const Clock& clock) { return clock.period == value.period && clock.offset == value.offset; };
    if (value.period == 0 || std::any_of(clocks_.begin(), clocks_.end(), same)) continue;
    const double first = std::ceil((t_start - value.offset) / value.period - same_time);
    clocks_.push_back({value.period, value.offset, std::max(0L, static_cast<long>(first))});
  }
}

double Samples::next() const {
  double time = std::numeric_limits<double>::infinity();
  for (const Clock& clock : clocks_) time = std::min(time, clock.time());
  return time;
}

bool Samples::due(double t) const {
  return std::ranges::any_of(clocks_, [&](const Clock& clock) { return is_due(clock, t); });
}

bool Samples::is_due(const Clock& clock, double t) { return !(clock.time() > t + same_time * clock.period); }

bool Samples::take(State& state, SystemEvaluator& evaluator) {
  bool taken = false;
  for (Clock& clock : clocks_) {
    if (!is_due(clock, state.t)) continue;
    if (!taken) {
      evaluator.set(state.t, state.x.data());
      evaluator.set_discrete(state.d);
    }
    evaluator.sample(clock.period, clock.offset, state.d);
    ++clock.count;
    taken = true;
  }
  return taken;
}

}  // namespace armature
