// One run on its way: what a loop over its steps moves forward. The loop is in simulate.cpp for a single run, in
// motion_lanes.cpp for many at once.
#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <optional>

#include "dynamics/dynamics.hpp"
#include "dynamics/index2.hpp"
#include "events/comparisons.hpp"
#include "events/contacts.hpp"
#include "events/crossings.hpp"
#include "events/samples.hpp"
#include "integrate/integrator.hpp"
#include "prepare/beam_errors.hpp"
#include "run/chatter.hpp"
#include "run/crawl.hpp"
#include "run/hidden_forces.hpp"
#include "run/impacts.hpp"
#include "run/simulate.hpp"
#include "run/stiff_steps.hpp"
#include "run/warn.hpp"

namespace armature::internal {

class Run {
 public:
  // All but the start is kept by reference; index2: that of ida, else null. terms: of the system, where they are known.
  Run(const Prepared& prepared, StepWatcher& watcher, Dynamics& dynamics, Integrator& integrator,
      Index2* index2 = nullptr, Warn warn = {}, std::shared_ptr<const WatchedTerms> terms = nullptr);

  void begin();
  double t() const { return state_.t; }
  const State& state() const { return state_; }
  Comparisons& comparisons() { return comparisons_; }
  double stop();  // the next step must not go beyond it

  // A host stops the run on its way: here no step goes beyond `t`, and samples that are due then are left to resume(), which
  // follows what the host has set.
  void pause_at(double t) { pause_ = t; }
  void resume();
  double next_sample() const { return samples_.next(); }  // s; infinite: there is none
  // From now on a step ends at the first zero of Equations::events inside it, too; ends_at_event(): the last step did.
  void end_steps_at_events();
  bool ends_at_event() const { return ends_at_event_; }
  // From the present time on: the host has changed inputs. Returns the energy that they bring into the machine, J.
  double set_parameters(const Eigen::VectorXd& parameters);
  const std::vector<RunEvent>& events() const { return outcome_.events; }
  Findings laws_met() const;  // what impacts and rigid contacts have left to be said, so far

  // One step of the integrator and all that follows from it; how the run ended, if it has.
  std::optional<Outcome> step(const Progress& progress);

  // The parts of what follows, for steps that are taken elsewhere. What is seen ends with the step, or with a change of a
  // comparison inside it.
  bool begins_again();  // the step hides a hump of a table, or a force: it is to be taken again, to a nearer stop()
  bool looks_for_changes() const { return comparisons_.any() && integrator_.error_controlled(); }
  std::optional<double> contact_before(std::optional<double> change);  // that, or a change of a contact before it
  void watch(std::optional<double> change);
  void watched(bool enough) { enough_ = enough; }  // in place of watch()
  void move_to(std::optional<double> change);
  bool follows_steps() const { return follows_steps_; }  // some discrete value does
  void follow_step();
  template <class Values>
  void take_followed(const Values& values);   // in place of follow_step(): values(i) of Equations::discrete
  bool settle(std::optional<double> change);  // whether outcomes or sampled values may be others now

  // How it ended, if it has.
  std::optional<Outcome> end_if_broken();  // there is no motion from here
  std::optional<Outcome> conclude(const Progress& progress);
  Outcome fail(StepStatus status);
  Outcome end_stopped();
  Outcome end(RunStatus status, std::string sentence);

 private:
  void look_at_touches();
  bool hides_hump();
  bool hides_force();
  bool stops_at_tables() const;
  const double* look_at_tables(double t, const double* x);  // stop and lookups (system/table_stops.hpp)
  double table_stop();                                      // infinite: there is none
  double stored_energy();
  std::optional<double> event_before(std::optional<double> change);
  void finish_step();
  double pause() const { return std::min(options_.last_time(), pause_); }
  void restart();
  void start_integrator();
  void change_held(const std::function<void()>& change);  // what is constant between steps jumps
  void take_samples();
  void sample();         // on the way: the watcher knows
  void look_at_steps();  // whether they are too short for the run to end, or another method takes them now
  void change_outcomes();
  void change_contacts();
  void look_for_flutter();
  void add(Finding finding) { outcome_.findings.push_back(std::move(finding)); }
  void judge_steps();  // what limited them
  void set_state();
  std::string chattering() const;

  const Prepared& prepared_;
  const RunOptions& options_;
  State state_;
  Dynamics& dynamics_;
  Integrator& integrator_;
  StiffSteps stiff_;
  Index2* index2_;
  Comparisons comparisons_;
  Contacts contacts_;
  bool contact_changes_ = false;       // where the last step ends
  bool contact_changed_last_ = false;  // and no comparison has since
  StepWatcher& watcher_;
  bool follows_steps_;
  Samples samples_;
  std::optional<Crossings> step_ends_;  // zeros of Equations::events at which steps end
  bool ends_at_event_ = false;
  BeamErrors beam_errors_;
  Crawl crawl_;
  Chatter chatter_;
  bool switched_ = false;  // and its event is listed
  Warn warn_;
  Impacts impacts_;
  std::string broken_;  // not empty: why the motion cannot go on
  Outcome outcome_;
  bool enough_ = false;
  double pause_ = std::numeric_limits<double>::infinity();
  bool started_ = false;                                          // the integrator is where the state is
  Eigen::VectorXd lookups_;                                       // of tables, where the step begins
  Eigen::VectorXd looked_;                                        // the state in a step
  double nearer_stop_ = std::numeric_limits<double>::infinity();  // of a step that is taken again
  std::optional<HiddenForces> hidden_;
  double force_stop_ = std::numeric_limits<double>::infinity();  // where a force was hidden, until it is reached
  bool flutter_is_known_ = false;
  std::chrono::steady_clock::time_point began_;
};

template <class Values>
void Run::take_followed(const Values& values) {
  const auto& discrete = prepared_.system->equations().discrete;
  for (Eigen::Index i = 0; i < state_.d.size(); ++i)
    if (discrete[static_cast<std::size_t>(i)].follows_steps()) state_.d[i] = values(static_cast<int>(i));
  set_state();
}

}  // namespace armature::internal
