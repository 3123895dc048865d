// Who records a run: an Observation in the run's thread, or beside it where that is possible. Inputs that change while a run goes on,
// and events so far, are known in the run's thread only.
#pragma once

#include <optional>

#include "observe/event_watcher.hpp"
#include "observe/observation.hpp"
#include "observe/observation_thread.hpp"
#include "observe/watcher.hpp"
#include "prepare/prepare.hpp"
#include "record/recorder.hpp"

namespace armature::internal {

class Observer final : public EventWatcher {
 public:
  enum class Thread { run, beside };
  Observer(const Prepared& prepared, Recorder& recorder, Thread thread,
           Observation::Lists lists = Observation::Lists::all);
  void begin(Dynamics& dynamics, const Integrator& integrator, const State& state) override;
  void receive(double work) override;
  std::vector<RunEvent> events() const override;
  void restarted() override { anew_ = true; }
  bool step(const Integrator& integrator, double until) override;
  void report(Outcome& outcome) override;

 private:
  const Prepared& prepared_;
  Recorder& recorder_;
  const Observation::Lists lists_;
  Dynamics* dynamics_ = nullptr;
  bool anew_ = false;                       // since the last step
  std::optional<Observation> observation_;  // one of these two
  std::optional<ObservationThread> beside_;
};

}  // namespace armature::internal
