// Watchers that know the zeros of Equations::events as they happen.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "events/crossings.hpp"
#include "observe/watcher.hpp"

namespace armature::internal {

class EventWatcher : public StepWatcher {
 public:
  virtual std::vector<RunEvent> events() const = 0;  // so far, in the order of time
};

// Records nothing else.
class EventLister final : public EventWatcher {
 public:
  void begin(Dynamics& dynamics, const Integrator&, const State& state) override {
    events_.clear();
    crossings_.emplace(dynamics);
    if (crossings_->any()) crossings_->begin(state.t, state.x);
  }
  bool step(const Integrator& integrator, double until) override {
    if (crossings_->any()) crossings_->find(integrator, until, events_);
    return true;
  }
  void report(Outcome& outcome) override { outcome.events = merged(std::move(events_), std::move(outcome.events)); }
  std::vector<RunEvent> events() const override { return events_; }

 private:
  std::optional<Crossings> crossings_;
  std::vector<RunEvent> events_;
};

}  // namespace armature::internal
