// Watchers that know the zeros of Equations::events as they happen.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "events/crossings.hpp"
#include "observe/motion_checks.hpp"
#include "observe/watcher.hpp"

namespace armature::internal {

class EventWatcher : public StepWatcher {
 public:
  virtual std::vector<RunEvent> events() const = 0;  // so far, in the order of time
};

// Records nothing else.
class EventLister final : public EventWatcher {
 public:
  explicit EventLister(const Prepared& prepared) : prepared_(prepared), checks_(prepared) {}  // kept by reference
  void begin(Dynamics& dynamics, const Integrator&, const State& state) override {
    events_.clear();
    checks_.begin(prepared_, dynamics, state);
    crossings_.emplace(dynamics);
    if (crossings_->any()) crossings_->begin(state.t, state.x);
  }
  bool step(const Integrator& integrator, double until) override {
    if (crossings_->any()) crossings_->find(integrator, until, events_);
    checks_.step(integrator, until);
    return true;
  }
  void receive(double work) override { checks_.receive(work); }
  void report(Outcome& outcome) override {
    checks_.finish(outcome);
    outcome.events = merged(std::move(events_), std::move(outcome.events));
  }
  std::vector<RunEvent> events() const override { return events_; }

 private:
  const Prepared& prepared_;
  MotionChecks checks_;
  std::optional<Crossings> crossings_;
  std::vector<RunEvent> events_;
};

}  // namespace armature::internal
