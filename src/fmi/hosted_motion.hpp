// A motion that its host integrates (model exchange): the rates of x, the event functions, and what changes at events.
//
// The host's method knows nothing of the constraints, so that the state drifts off them. After a step that ends farther from them than
// the tolerance allows, the motion asks for an event, at which the state returns to them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "events/comparisons.hpp"
#include "events/contacts.hpp"
#include "events/samples.hpp"
#include "observe/latest_row.hpp"
#include "observe/recorded_rows.hpp"
#include "prepare/setup.hpp"
#include "run/impacts.hpp"

namespace armature::internal {

class HostedMotion {
 public:
  explicit HostedMotion(const Prepared& prepared);  // kept by reference
  HostedMotion(const HostedMotion&) = delete;

  // At prepared.start: comparisons are settled, samples taken, what touches rests or collides. Throws ComputationError where there is no
  // motion.
  void begin();
  // Exactly there, and nothing is settled. sampled: samples of that time have been taken.
  void continue_at(const State& state, const Eigen::VectorXd& inputs, bool sampled);

  const State& state() const { return state_; }
  const Eigen::VectorXd& inputs() const { return inputs_; }
  void set_time(double t);
  void set_states(const double* x);
  void set_input(int k, double value);   // between events: it varies continuously
  void jump_input(int k, double value);  // at an event, with the next update()

  bool rates(double* xdot);  // false: they cannot be evaluated there
  // Positive; zero where a comparison changes, or a contact: one a comparison, two a contact.
  void indicators(double* margins);
  const std::vector<double>& channels();  // as in a row of trajectory.csv
  const std::vector<Channel>& channel_list() const { return row_.channels; }

  bool complete_step();  // a step of the host ends here; true: an event is wanted
  struct Update {
    bool again = false;          // something else has to change at once
    bool state_changed = false;  // x
    std::vector<RunEvent> events;
  };
  Update update();  // at an event; throws ComputationError where no motion leads on
  double next_sample() const { return samples_.next(); }  // s; infinite: there is none
  bool sampled() const { return !samples_.due(state_.t); }

 private:
  void take_inputs();
  bool return_to_constraints();  // true: x is another one
  bool has_drifted();
  void change_outcomes(std::vector<RunEvent>& events);
  void change_contacts(std::vector<RunEvent>& events);

  const Prepared& prepared_;
  State state_;
  std::unique_ptr<Dynamics> dynamics_;
  Comparisons comparisons_;
  Contacts contacts_;
  Samples samples_;
  Impacts impacts_;
  LatestRow row_;
  std::optional<RecordedRows> rows_;
  bool row_is_known_ = false;
  bool follows_steps_;
  Eigen::VectorXd inputs_, pending_;
  Eigen::VectorXd projected_;
};

}  // namespace armature::internal
