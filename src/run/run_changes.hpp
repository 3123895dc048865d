// What changes the laws of a run's motion inside a step or at its end: comparisons, rigid contacts, and the events at which a host wants
// steps to end. Each looks for its first change up to that of those before it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "events/comparisons.hpp"
#include "events/contacts.hpp"
#include "events/crossings.hpp"
#include "observe/watcher.hpp"
#include "prepare/prepare.hpp"
#include "run/impacts.hpp"
#include "step/change.hpp"

namespace armature::internal {

class RunChanges {
 public:
  // All is kept by reference.
  RunChanges(const Prepared& prepared, Dynamics& dynamics, const Integrator& integrator, State& state,
             StepWatcher& watcher);

  // Outcomes and contacts at the start.
  void begin(Outcome& outcome);
  bool locates_comparisons() const { return located_; }
  Comparisons& comparisons() { return comparisons_; }
  // From now on a step ends at the first zero of Equations::events inside it, too.
  void end_steps_at_events();

  // In the integrator's last step. of_comparison: the first change of one, where it has been searched for.
  step::Change find();
  step::Change find(std::optional<double> of_comparison);
  // At the state, which is at the change.
  void settle(const step::Change& found, Outcome& outcome);
  // At the state, by change(): what is constant between steps.
  template <class Change>
  void change_held(const Change& change) {
    if (located_) return comparisons_.change_held(change);
    change();
    dynamics_.set_state(state_);
  }
  void forget();  // of the last step: steps begin anew

  const std::string& broken() const { return broken_; }  // not empty: why the motion cannot go on
  std::string endless() const;                           // that the changes do not end, in words
  Findings findings() const;                             // what impacts and contacts have left to be said

 private:
  std::optional<double> find_event(double until);
  void change_outcomes(Outcome& outcome);
  void change_contacts(Outcome& outcome);
  void look_for_flutter(Outcome& outcome);

  const RunOptions& options_;
  Dynamics& dynamics_;
  const Integrator& integrator_;
  State& state_;
  StepWatcher& watcher_;
  Comparisons comparisons_;
  Contacts contacts_;
  Impacts impacts_;
  std::optional<Crossings> events_;  // zeros of Equations::events at which steps end
  bool located_;                     // there are comparisons, and their changes are located
  bool contact_changed_last_ = false;
  bool flutter_is_known_ = false;
  std::string broken_;
};

}  // namespace armature::internal
