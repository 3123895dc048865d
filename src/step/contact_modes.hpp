// What a motion knows of its rigid contacts (mechanics/rigid_contact.hpp), and the forces with which those that touch rest on each other.
// Between events each contact is open, or closed and sticking or sliding, as discrete values say, and the right-hand side is smooth.
//
// Engine, of one motion:
//   const double* contact_gaps(t, x)      gaps, then sliding velocities ahead
//   const double* contact_motion(t, x)    the same, then rates of gaps
//   const double* contact_forces(t, x)    N of each, then mu N - |T|, with the weights there
//   const double* known_forces(t)         the same of the end of a step; null: not known
//   void forget_forces()
//   ContactRowsView contact_rows(t, x)
//   ContactResponseView contact_responses(t, x)   null: the machine has none
//   bool derivative(t, x, xdot)
//   double stored_energy(t, x)
//   double machine_length(t, x)           m
//   void take_discrete()                  discrete values have changed
//   bool begin_ranges_of_gaps(step), gap_ranges()   over parts of the step (zero_crossings.hpp)
// and what it is told: ContactReports.
#pragma once

#include "step/configuration.hpp"
#include "step/contact_freedom.hpp"
#include "step/contact_laws.hpp"
#include "step/contact_rows.hpp"
#include "step/margin_walk.hpp"
#include "step/zero_crossings.hpp"

namespace armature::step {

// Of one contact, which discrete values hold its mode; -1: it has none such.
struct ContactPlaces {
  int closed = -1, sticks = -1, direction = -1, across = -1, slow = -1;
  bool is_length = true;  // its gap, in m; else an angle
  ARMATURE_STEP bool has_friction() const { return sticks >= 0; }
  ARMATURE_STEP bool in_space() const { return across >= 0; }
};

struct ContactSizes {
  int contacts = 0, nq = 0, nv = 0, nx = 0, nd = 0;
  int softness = -1;     // the discrete value that makes undetermined forces the smallest
  int impact_work = -1;  // the entry of x that counts it; -1: none
  const ContactPlaces* places = nullptr;
  Configuration configuration;
  ARMATURE_STEP int rows() const {
    int rows = 2 * contacts;
    for (int i = 0; i < contacts; ++i) rows += places[i].in_space();
    return rows;
  }
};

struct ContactOptions {
  double rtol = 0;
  const double* atol = nullptr;  // one an entry of x
  bool sequential = false;       // collisions of several contacts one after the other, instead of all at once
};

// What is known of a contact from step to step.
struct Contact {
  bool armed = false;  // its gap has been open since it opened; or s clearly not zero since it slides
  double gap = 0, sliding = 0, rate = 0;  // what the tolerances leave uncertain: of the gap, of s, of the gap's rate
  double friction = 0;
  double force = 0;  // the largest seen
  double slack = 0;  // of a gap just opened: by which it may be negative
};
struct ContactSearchMemory {
  MarginWalk walk;
  double length = 0;                              // of the machine, m
  bool knows_beginning = false;                   // gaps, sliding velocities and rates where the step begins
  double beginning = 0;                           // s
  double previous_length = 0;                     // of the step before; 0: not known
  long steps_sliding = 0;                         // with forces that are not determined
  bool is_undetermined = false, is_open = false;  // it was told that forces are, and the motion is
};

// Contacts, search and kept stay from step to step; all else is room.
struct ContactMemory {
  Contact* contacts;
  ContactSearchMemory* search;
  double* kept;
  double* numbers;
  int* indices;
  Guard* guards;  // two a contact
  ContactMode* modes;
  ContactKind* kinds;

  ARMATURE_STEP static int kept_numbers(int contacts) { return 6 * contacts; }
  ARMATURE_STEP static int all_numbers(const ContactSizes& n) {
    const int c = n.contacts, rows = n.rows();
    return ContactRows::numbers(c, rows, n.nv) + ContactSolver::numbers(c, rows) + ContactFreedom::numbers(rows) +
           3 * c + 2 * rows + 2 * n.nx + n.nv + 2 * n.nd;
  }
  ARMATURE_STEP static int all_indices(const ContactSizes& n) {
    const int rows = n.rows();
    return ContactRows::indices(rows) + ContactSolver::indices(rows) + ContactFreedom::indices(rows) + 5 * n.contacts +
           2 * rows;
  }
  ARMATURE_STEP static int all_modes(int contacts) { return ContactSolver::modes(contacts) + contacts; }
};

// For engines that are told nothing.
struct ContactReports {
  ARMATURE_STEP void collided(int, double, double) {}  // contact, rate of its gap before and after
  ARMATURE_STEP void settles(int, double) {}           // contact, the limit of its bounces, s; infinite: there is none
  ARMATURE_STEP void changed(int, ContactChange) {}
  ARMATURE_STEP void reduces_restitutions(const ContactList&, double) {}  // to this part
  ARMATURE_STEP void forces_undetermined(const ContactList&) {}
  ARMATURE_STEP void motion_open(const ContactList&, bool) {}  // from an impact on, or under a load
  ARMATURE_STEP void begin_impulse(double) {}                  // with this part of all restitutions
  ARMATURE_STEP void law(int, ImpulseLaw) {}                   // of a row in that impulse
  ARMATURE_STEP void forget_impulses() {}
};

namespace contact {
// Of what the tolerances leave uncertain of s: a contact that slides slower may stick together with another.
inline constexpr double slow_sliding = 100;
}  // namespace contact

template <class Engine>
class ContactModes {
 public:
  ARMATURE_STEP ContactModes(Engine& engine, const ContactSizes& sizes, const ContactMemory& memory, double* d,
                             const ContactOptions& options)
      : engine_(engine),
        n_(sizes),
        options_(options),
        contacts_(memory.contacts),
        search_(*memory.search),
        d_(d),
        second_(memory.indices),
        rows_(n_.contacts, n_.rows(), n_.nv, second_, memory.numbers, memory.indices + n_.contacts),
        solver_(n_.contacts, n_.rows(),
                {memory.numbers + ContactRows::numbers(n_.contacts, n_.rows(), n_.nv),
                 memory.indices + n_.contacts + ContactRows::indices(n_.rows()), memory.modes, memory.kinds}),
        freedom_(solver_, n_.rows(), solver_numbers(memory) + ContactSolver::numbers(n_.contacts, n_.rows()),
                 solver_indices(memory) + ContactSolver::indices(n_.rows())) {
    int row = 2 * n_.contacts;
    for (int i = 0; i < n_.contacts; ++i) second_[i] = n_.places[i].in_space() ? row++ : -1;
    lists_ = solver_indices(memory) + ContactSolver::indices(n_.rows()) + ContactFreedom::indices(n_.rows());
    p_ = solver_numbers(memory) + ContactSolver::numbers(n_.contacts, n_.rows()) + ContactFreedom::numbers(n_.rows());
    velocity_ = p_ + n_.rows(), xdot_ = velocity_ + n_.rows(), x_there_ = xdot_ + n_.nx, dv_ = x_there_ + n_.nx;
    d_before_ = dv_ + n_.nv, d_kept_ = d_before_ + n_.nd, end_ = d_kept_ + n_.nd;
    found_ = memory.modes + ContactSolver::modes(n_.contacts);
  }
  ContactModes(const ContactModes&) = delete;
  ARMATURE_STEP bool any() const { return n_.contacts > 0; }

 protected:
  using List = ContactList;

  // ---- modes, by discrete values: d, or those of the state

  ARMATURE_STEP bool closed(int i, const double* d) const { return d[n_.places[i].closed] != 0; }
  ARMATURE_STEP bool sticks(int i, const double* d) const {
    return n_.places[i].has_friction() && d[n_.places[i].sticks] != 0;
  }
  ARMATURE_STEP bool slides(int i, const double* d) const {
    return closed(i, d) && n_.places[i].has_friction() && !sticks(i, d);
  }
  // of sliding along one tangent; in space it is what the guard of sliding is along
  ARMATURE_STEP double direction(int i) const { return n_.places[i].in_space() ? 1 : d_[n_.places[i].direction]; }
  ARMATURE_STEP bool is_rough(int i) const { return n_.places[i].has_friction() && rows_.friction[i] > 0; }
  ARMATURE_STEP bool is_soft() const { return d_[n_.softness] > 0; }
  ARMATURE_STEP void open_all() {
    for (int i = 0; i < n_.contacts; ++i) {
      d_[n_.places[i].closed] = 0;
      if (n_.places[i].has_friction()) d_[n_.places[i].sticks] = 0;
    }
  }
  ARMATURE_STEP List contact_list(int k) const { return {lists_ + k * n_.contacts}; }     // room for four …
  ARMATURE_STEP List row_list() const { return {lists_ + 4 * n_.contacts + n_.rows()}; }  // … and for one of rows
  ARMATURE_STEP List closed_contacts() const {
    List list = contact_list(2);
    for (int i = 0; i < n_.contacts; ++i)
      if (closed(i, d_)) list.add(i);
    return list;
  }

  // ---- rows at the state

  ARMATURE_CALLED bool evaluate() {
    if (!rows_.take(engine_.contact_rows(t_, x_))) return false;
    for (int i = 0; i < n_.contacts; ++i) contacts_[i].friction = rows_.friction[i];
    return rows_.take(engine_.contact_responses(t_, x_));
  }

  // Of a gap by what the positions may err by, of its rate and of s by velocities.
  ARMATURE_CALLED void take_tolerances() {
    for (int i = 0; i < n_.contacts; ++i) {
      Contact& contact = contacts_[i];
      contact.gap = contact.rate = contact.sliding = 0;
      double second = 0;  // of s along the second tangent
      for (int j = 0; j < n_.nv; ++j) {
        const int q = position_of(j);
        contact.gap += absolute(rows_.g(2 * i, j)) * (q >= 0 ? error(q) : options_.rtol);
        contact.rate += absolute(rows_.g(2 * i, j)) * error(n_.nq + j);
        contact.sliding += absolute(rows_.g(2 * i + 1, j)) * error(n_.nq + j);
        if (second_[i] >= 0) second += absolute(rows_.g(second_[i], j)) * error(n_.nq + j);
      }
      contact.sliding = larger(contact.sliding, second);
    }
  }

  // ---- forces

  // The problem of some contacts, without b.
  ARMATURE_CALLED ContactProblem& pose(const List& contacts) {
    ContactProblem& problem = solver_.problem();
    problem_rows_ = {lists_ + 4 * n_.contacts};
    for (int k = 0; k < contacts.count; ++k)
      problem_rows_.add(2 * contacts.at[k]), problem_rows_.add(2 * contacts.at[k] + 1);
    for (int k = 0; k < contacts.count; ++k) {
      const int i = contacts.at[k];
      problem.kind[k] = {is_rough(i) ? ContactFriction::any : ContactFriction::none, -1, {}};
      problem.mu[k] = rows_.friction[i];
      if (second_[i] < 0) continue;
      problem.kind[k].second = problem_rows_.count;
      problem_rows_.add(second_[i]);
    }
    problem.begin(contacts.count, problem_rows_.count);
    for (int k = 0; k < problem.rows; ++k)
      for (int j = 0; j < problem.rows; ++j)
        problem.A[k * problem.rows + j] = rows_.a(problem_rows_.at[k], problem_rows_.at[j]);
    return problem;
  }

  // p_: forces of contacts that rest on each other, from the accelerations with all contacts open; found_: their modes; xdot_: accelerations
  // with them. Those that slide no faster than `slowest` times what is uncertain of s may stick.
  ARMATURE_CALLED bool solve_forces(const List& resting, double slowest = 1) {
    open_all();
    engine_.take_discrete();
    if (!engine_.derivative(t_, x_, xdot_)) return found_any_ = false;
    double* vdot = xdot_ + n_.nq;
    ContactProblem& problem = pose(resting);
    for (int k = 0; k < problem.rows; ++k)
      problem.b[k] = rows_.along(problem_rows_.at[k], vdot) + rows_.bias[problem_rows_.at[k]];
    for (int k = 0; k < resting.count; ++k) {
      const int i = resting.at[k];
      if (!is_rough(i) || rows_.speed(i) <= slowest * contacts_[i].sliding) continue;
      const bool forwards = second_[i] >= 0 || rows_.velocity[2 * i + 1] > 0;
      problem.kind[k].friction = forwards ? ContactFriction::forwards : ContactFriction::backwards;
      if (second_[i] >= 0) problem.kind[k].along = sliding_direction(i);
    }
    for (int row = 0; row < rows_.rows(); ++row) p_[row] = 0;
    if (!add_solution(p_)) return false;
    rows_.velocities_after(p_, dv_);
    for (int j = 0; j < n_.nv; ++j) vdot[j] += dv_[j];
    return true;
  }
  ARMATURE_STEP Tangential sliding_direction(int i) const {
    return direction_of({rows_.velocity[2 * i + 1], rows_.velocity[second_[i]]});
  }

  // Of the problem posed last: to p, by rows of the machine; its modes are found_.
  ARMATURE_CALLED bool add_solution(double* p) {
    const ContactSolution& solution = solver_.solve();
    found_any_ = solution.found, found_undetermined_ = solution.undetermined;
    found_open_ = freedom_.leaves_open();
    for (int k = 0; k < solver_.problem().count; ++k) found_[k] = solution.modes[k];
    if (!found_any_) return false;
    solver_.problem().take_scale_back(solution.p);
    for (int k = 0; k < problem_rows_.count; ++k) p[problem_rows_.at[k]] += solution.p[k];
    return true;
  }

  Engine& engine_;
  ContactSizes n_;
  ContactOptions options_;
  Contact* contacts_;
  ContactSearchMemory& search_;
  double* d_;
  int* second_;
  ContactRows rows_;
  ContactSolver solver_;
  ContactFreedom freedom_;
  List problem_rows_;  // of the machine, in the order of the problem
  int* lists_;         // room for four lists of contacts and two of rows
  double *p_, *velocity_, *xdot_, *x_there_, *dv_, *d_before_, *d_kept_;
  double* end_;         // of the step: gaps, sliding velocities, rates of gaps
  ContactMode* found_;  // of the contacts of the last problem
  bool found_any_ = false, found_undetermined_ = false, found_open_ = false;
  double t_ = 0;
  double* x_ = nullptr;

 private:
  ARMATURE_STEP double* solver_numbers(const ContactMemory& memory) const {
    return memory.numbers + ContactRows::numbers(n_.contacts, n_.rows(), n_.nv);
  }
  ARMATURE_STEP int* solver_indices(const ContactMemory& memory) const {
    return memory.indices + n_.contacts + ContactRows::indices(n_.rows());
  }
  ARMATURE_STEP double error(int entry) const { return options_.atol[entry] + options_.rtol * absolute(x_[entry]); }
  ARMATURE_STEP int position_of(int velocity) const {
    for (int i = 0; i < n_.configuration.plain_count; ++i)
      if (n_.configuration.plain[i].v == velocity) return n_.configuration.plain[i].q;
    return -1;
  }
};

}  // namespace armature::step
