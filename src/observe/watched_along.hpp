// Two watchers of one motion: the first makes its outcome, the second only looks.
#pragma once

#include "observe/watcher.hpp"

namespace armature::internal {

class WatchedAlong final : public StepWatcher {
 public:
  WatchedAlong(StepWatcher& first, StepWatcher& second) : first_(first), second_(second) {}

  void begin(Dynamics& dynamics, const Integrator& integrator, const State& state) override {
    first_.begin(dynamics, integrator, state), second_.begin(dynamics, integrator, state);
  }
  void receive(double work) override { first_.receive(work), second_.receive(work); }
  void changing() override { first_.changing(), second_.changing(); }
  void sampling(const Samples& samples) override { first_.sampling(samples), second_.sampling(samples); }
  void contacts_changed(const ContactImpulses& impulses) override {
    first_.contacts_changed(impulses), second_.contacts_changed(impulses);
  }
  void restarted() override { first_.restarted(), second_.restarted(); }
  bool step(const Integrator& integrator, double until) override {
    second_.step(integrator, until);
    return first_.step(integrator, until);
  }
  void report(Outcome& outcome) override { first_.report(outcome); }
  bool wants_words() const override { return first_.wants_words(); }

 private:
  StepWatcher &first_, &second_;
};

}  // namespace armature::internal
