// The rigid contacts of a model while a run goes on (mechanics/rigid_contact.hpp). Between events each is open, or closed and sticking
// or sliding, and the right-hand side is smooth. In each step are found, and located on its dense output,
//
//   open       the gap closes
//   closed     N would pull; s = 0 of one that slides; |T| = mu N of one that sticks
//
// There, what happens next is solved for all contacts that touch, at once and with all loops (dynamics/contact_rows.hpp):
//
//   1. Those that approach collide: Newton's restitution g+ >= -e g-, Coulomb's friction with a tangential restitution.
//   2. Bounces that the tolerances cannot resolve end: the height that a contact leaves with, g^2/2a, is below what they leave
//      uncertain of its gap. The geometric series of the bounces that would follow says when it comes to rest.
//   3. Those that neither approach nor leave push, stick or slide, as the accelerations say.
//
// The energy of a collision never grows: where friction or several contacts with Newton's law would have it grow, all restitutions are
// reduced by one factor until it does not. What collisions change of the energy is work.impact.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/configuration.hpp"
#include "dynamics/contact_rows.hpp"
#include "dynamics/dynamics.hpp"
#include "events/contact_change.hpp"
#include "events/path_ranges.hpp"
#include "events/run_event.hpp"
#include "integrate/integrator.hpp"
#include "linear/contact_problem.hpp"
#include "mechanics/energy_ledger.hpp"
#include "model/finding.hpp"
#include "step/margin_walk.hpp"
#include "step/zero_crossings.hpp"

namespace armature::internal {

struct ContactOptions {
  double rtol = 1e-6;
  Eigen::VectorXd atol;     // one an entry of x
  bool sequential = false;  // collisions of several contacts one after the other, instead of all at once
};

class Contacts {
 public:
  Contacts(Dynamics& dynamics, State& state, ContactOptions options);  // dynamics, state: kept by reference
  bool any() const { return !contacts_.empty(); }

  // At the start. Not empty: why there is no motion.
  std::string begin(std::vector<RunEvent>& events);

  // The first time in the integrator's last step, up to `until`, at which something changes.
  std::optional<double> find_change(const Integrator& integrator, double until);
  void forget() {  // forces, velocities have jumped
    walk_.forget(), dynamics_.forget_contact_forces();
    begin_.t = std::numeric_limits<double>::quiet_NaN(), begin_.previous_length = 0;
  }

  // At the state, which is at a change: what happens there, in words. Not empty: why no motion follows.
  std::string change(std::vector<RunEvent>& events);
  bool moved() const { return moved_; }                          // the last change(): velocities jumped
  const ContactImpulses& impulses() const { return impulses_; }  // the last change(): how

  std::string last_changed() const { return last_changed_; }  // in words

  // The first time that forces are not determined, that they leave the motion open, and that restitutions are reduced.
  const Findings& findings() const { return findings_; }

 private:
  struct Contact {
    const RigidContact* law;
    bool armed = false;           // its gap has been open since it opened; or s clearly not zero since it slides
    double gap = 0, sliding = 0;  // what the tolerances leave uncertain: of the gap, of its rate, of s
    double rate = 0;
    double force = 0;  // the largest seen
    double slack = 0;  // of a gap just opened: by which it may be negative
  };

  static std::size_t place(int i) { return static_cast<std::size_t>(i); }

  // by discrete values: d, or those of the state
  double& value(int index) { return state_.d[index]; }
  bool closed(std::size_t i, const Eigen::VectorXd& d) const { return d[contacts_[i].law->closed] != 0; }
  bool sticks(std::size_t i, const Eigen::VectorXd& d) const {
    return contacts_[i].law->sticks >= 0 && d[contacts_[i].law->sticks] != 0;
  }
  bool slides(std::size_t i, const Eigen::VectorXd& d) const {
    return closed(i, d) && contacts_[i].law->has_friction() && !sticks(i, d);
  }
  bool closed(std::size_t i) const { return closed(i, state_.d); }
  bool sticks(std::size_t i) const { return sticks(i, state_.d); }
  bool slides(std::size_t i) const { return slides(i, state_.d); }
  // of sliding along one tangent; in space it is what the guard of sliding is along
  double direction(std::size_t i) const {
    return contacts_[i].law->has_two_tangents() ? 1 : state_.d[contacts_[i].law->direction];
  }
  void open_all();

  // the search
  const double* run(Kernel kernel, double t, const double* x);
  void evaluate_gaps(double t, const double* x);
  void evaluate_motion(double t, const double* x, Eigen::VectorXd& motion);
  int put_guards();
  int keep_near(const Integrator& integrator, double until, int guards);  // moves those that may close to the front
  bool slides_on(const step::Guard& guard, double length) const;
  void begin_next(const Integrator& integrator);
  std::optional<double> find_zero(const Integrator& integrator, double until);
  double first_zero(const Integrator& integrator, const step::StepPart& part, int guards);
  std::optional<double> find_pull(const Integrator& integrator,
                                  double until);   // a force that ceases to push or to stick
  double force_margin(double t, const double* x);  // the least of closed contacts, over their largest forces
  double least_margin(const double* forces);
  bool modes_hold(double t, const double* x);                  // by forces other than the smallest
  std::string penetration(const Eigen::VectorXd& gaps) const;  // in words; empty: none
  bool has_drifted(const double* end_gaps) const;
  void note_end();

  // what happens
  bool evaluate();
  void take_tolerances();
  std::vector<int> touching() const;
  bool is_rough(int i) const { return contacts_[place(i)].law->has_friction() && rows_.friction[i] > 0; }
  std::vector<int> rows_of(const std::vector<int>& contacts) const;   // of rows_, in the order of a ContactProblem
  ContactProblem problem_of(const std::vector<int>& contacts) const;  // without b
  std::string collide(const std::vector<int>& touching, std::vector<RunEvent>& events);
  bool collide_at_once(const std::vector<int>& touching, Eigen::VectorXd& p, double part);
  bool collide_one_by_one(const std::vector<int>& touching, Eigen::VectorXd& p, double part);
  void note_impulse(const std::vector<int>& touching, const ContactProblem& problem, const ContactSolution& solution,
                    const Eigen::VectorXd& velocity, double part);
  ContactImpulse& add_impulse(double part);
  double gained(const Eigen::VectorXd& p) const;
  std::string rest(const std::vector<int>& touching, std::vector<RunEvent>& events);
  ContactSolution forces_at_rest(const std::vector<int>& touching, std::vector<int>& resting,
                                 std::vector<RunEvent>& events);
  const char* change_of(std::size_t contact, const Eigen::VectorXd& before) const;  // in words; null: none
  bool knows(FindingCode code) const;
  void note(Finding found);  // the first of its kind
  void note_undetermined(const std::vector<int>& resting, const ContactSolution& solution);
  void note_open_motion(const std::string& since, const std::vector<int>& contacts, const char* what);
  void look_at_sliding();
  ContactSolution solve_forces(const std::vector<int>& resting,
                               double slowest = 1);  // times what is uncertain of s: it may stick
  ContactSolution forces_that_stop(const std::vector<int>& resting);
  std::vector<int> settled(const std::vector<int>& touching, const std::vector<int>& resting,
                           std::vector<RunEvent>& events);
  void stop_rates(const std::vector<int>& resting, const ContactSolution& solution);
  void close_gaps();
  void set_modes(const std::vector<int>& resting, const ContactSolution& solution);
  void set_slip(int contact, ContactState state, const Eigen::Vector2d& along);
  void add_velocities(const Eigen::VectorXd& dv);
  std::string names(const std::vector<int>& contacts) const;
  std::string speed(int contact, double rate) const;

  Dynamics& dynamics_;
  State& state_;
  ContactOptions options_;
  double length_ = 0;  // of the machine, m
  Configuration configuration_;
  std::vector<Contact> contacts_;
  int softness_;
  ImpactWork work_;
  ContactRows rows_;
  PathRanges ranges_;
  step::ZeroCrossings<PathRanges> zeros_;
  std::vector<step::Guard> guards_;
  step::MarginWalk walk_;
  Eigen::VectorXd x_, gaps_, xdot_, vdot_;
  Eigen::VectorXd end_;  // of the step: gaps, sliding velocities, rates of gaps
  struct Beginning {     // of the step
    double t = std::numeric_limits<double>::quiet_NaN();
    Eigen::VectorXd motion;      // as end_
    double previous_length = 0;  // of the step before; 0: not known
    Eigen::VectorXd previous;    // at its beginning
    bool known(double at) const { return at == t; }
  };
  Beginning begin_;
  Findings findings_;
  bool moved_ = false, starting_ = false;
  bool impact_leaves_motion_open_ = false;  // the last one solved
  long steps_sliding_ = 0;                  // with forces that are not determined
  ContactImpulses impulses_;
  std::string last_changed_;
};

}  // namespace armature::internal
