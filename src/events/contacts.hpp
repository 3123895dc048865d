// The rigid contacts of a model while a run goes on (mechanics/rigid_contact.hpp). The step kernel finds where one changes
// (step/contact_search.hpp) and what happens there (step/contact_changes.hpp); here the run's engine and memory are given to it, and why no
// motion follows is put into words. What collisions change of the energy is work.impact.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dynamics/configuration.hpp"
#include "events/contact_engine.hpp"

namespace armature::internal {

struct ContactOptions {
  double rtol = 1e-6;
  Eigen::VectorXd atol;     // one an entry of x
  bool sequential = false;  // collisions of several contacts one after the other, instead of all at once
};

// Where the modes of contacts stand, and what work.impact is called.
std::vector<step::ContactPlaces> contact_places(const Equations& equations);
step::ContactSizes contact_sizes(const Equations& equations, const Configuration& configuration,
                                 const std::vector<step::ContactPlaces>& places);

class Contacts {
 public:
  Contacts(Dynamics& dynamics, State& state, ContactOptions options);  // dynamics, state: kept by reference
  Contacts(const Contacts&) = delete;
  bool any() const { return !places_.empty(); }

  // At the start. Not empty: why there is no motion.
  std::string begin(std::vector<RunEvent>& events);

  // The first time in the integrator's last step, up to `until`, at which something changes.
  std::optional<double> find_change(const Integrator& integrator, double until);
  void forget() { changes_.forget(); }  // forces, velocities have jumped

  // At the state, which is at a change: what happens there, in words. Not empty: why no motion follows.
  std::string change(std::vector<RunEvent>& events);
  const ContactImpulses& impulses() const { return engine_.impulses(); }  // the last change(): how velocities jumped

  // For a host that integrates by itself. margins: how far each contact is from its changes at (t, x), two numbers a contact, negative where
  // it has to change. arrives: whether one has to at the state; if not, a step of the host ends there. resume: the state is another one,
  // which a motion has come to before.
  int margin_count() const { return 2 * sizes_.contacts; }
  void margins(double t, const double* x, double* margins) { changes_.look(t, x, margins); }
  bool arrives() { return any() && changes_.arrive(state_.t, state_.x.data(), margins_.data()); }
  void resume() {
    if (any()) changes_.resume(state_.t, state_.x.data());
  }

  std::string last_changed() const { return engine_.names(changes_.touching()); }  // in words

  // The first time that forces are not determined, that they leave the motion open, and that restitutions are reduced.
  const Findings& findings() const { return engine_.findings(); }

 private:
  step::ContactMemory memory();
  std::string in_words(step::ContactOutcome outcome) const;

  Dynamics& dynamics_;
  State& state_;
  ContactOptions options_;
  Configuration configuration_;
  ContactEngine engine_;
  std::vector<step::ContactPlaces> places_;
  step::ContactSizes sizes_;
  std::vector<step::Contact> contacts_;
  step::ContactSearchMemory search_;
  std::vector<double> kept_, numbers_, margins_;
  std::vector<int> indices_;
  std::vector<step::Guard> guards_;
  std::vector<step::ContactMode> modes_;
  std::vector<step::ContactKind> kinds_;
  Eigen::VectorXd x_;  // between both ends of a step
  step::ContactChanges<ContactEngine> changes_;
};

}  // namespace armature::internal
