// What step/contact_changes.hpp asks of one run: its Dynamics evaluates. What happens is put into words, findings and impulses here.
#pragma once

#include <string>
#include <vector>

#include "dynamics/contact_rows.hpp"
#include "dynamics/dynamics.hpp"
#include "events/comparison_engine.hpp"
#include "events/contact_change.hpp"
#include "events/path_ranges.hpp"
#include "events/run_event.hpp"
#include "model/finding.hpp"
#include "step/contact_changes.hpp"

namespace armature::internal {

class ContactEngine {
 public:
  using GapRanges = PathRanges;
  ContactEngine(Dynamics& dynamics, State& state);  // kept by reference

  // --- of step/contact_modes.hpp

  const double* contact_gaps(double t, const double* x) { return run(Kernel::contact_gaps, t, x).gaps->lane; }
  const double* contact_motion(double t, const double* x) { return run(Kernel::contact_motion, t, x).gaps->lane; }
  const double* contact_forces(double t, const double* x);
  const double* known_forces(double t) const { return ends_with_derivative_ ? dynamics_.contact_forces(t) : nullptr; }
  void forget_forces() { dynamics_.forget_contact_forces(); }
  step::ContactRowsView contact_rows(double t, const double* x);
  // By the traced solve; where it is not regular, by the rank-revealing one.
  step::ContactResponseView contact_responses(double t, const double* x);
  bool derivative(double t, const double* x, double* xdot) { return dynamics_.derivative(t, x, xdot); }
  double stored_energy(double t, const double* x);
  double machine_length(double t, const double* x) { return dynamics_.engine().machine_size(t, x).length(); }
  void take_discrete() { dynamics_.set_state(state_); }
  bool begin_ranges_of_gaps(const LastStep& step);
  PathRanges& gap_ranges() { return ranges_; }

  void collided(int contact, double before, double after);
  void settles(int contact, double limit);
  void changed(int contact, step::ContactChange change);
  void reduces_restitutions(const step::ContactList& contacts, double part);
  void forces_undetermined(const step::ContactList& contacts);
  void motion_open(const step::ContactList& contacts, bool impact);
  void begin_impulse(double part);
  void law(int row, ImpulseLaw law) { impulses_.back().rows[static_cast<std::size_t>(row)] = law; }
  void forget_impulses() { impulses_.clear(); }

  // --- of the run

  void take_step(bool ends_with_derivative) { ends_with_derivative_ = ends_with_derivative; }
  std::vector<RunEvent> take_events() { return std::exchange(events_, {}); }
  const ContactImpulses& impulses() const { return impulses_; }
  const Findings& findings() const { return findings_; }
  std::string names(const step::ContactList& contacts) const;

 private:
  const RigidContact& contact(int i) const {
    return dynamics_.system().equations().contacts[static_cast<std::size_t>(i)];
  }
  const step::KernelOutputs<1>& run(Kernel kernel, double t, const double* x);
  void tell(int contact, const std::string& what);
  void note(Finding found);  // the first of its kind

  Dynamics& dynamics_;
  State& state_;
  PathRanges ranges_;
  ContactRows rank_revealing_;
  bool ends_with_derivative_ = false;
  std::vector<RunEvent> events_;
  ContactImpulses impulses_;
  Findings findings_;
};

}  // namespace armature::internal
