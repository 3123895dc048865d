// The solution of a problem of contacts (contact_problem.hpp). Gauss and Seidel's iteration finds which contacts push, stick and slip; with
// that known the equations are linear, and solved exactly; directions of sliding in space follow in a few such solves. Where the equations
// leave forces undetermined, these are the smallest in the kinetic metric, of those contacts that can push. Where the smallest forces leave
// the cones of friction, forces of the same motion within the cones are found by projections. Others may give another motion, through
// friction (contact_freedom.hpp).
#pragma once

#include "step/contact_equations.hpp"
#include "step/contact_iteration.hpp"

namespace armature::step {

// Of the solver of so many contacts and rows: the caller's, for as long as it lives.
struct ContactSolverMemory {
  double* numbers;
  int* indices;
  ContactMode* modes;
  ContactKind* kinds;  // one a contact
};

class ContactSolver {
 public:
  ARMATURE_STEP static int numbers(int contacts, int rows) {
    return ContactProblem::numbers(contacts, rows) + ContactEquations::numbers(rows) + 3 * rows;
  }
  ARMATURE_STEP static int indices(int rows) { return ContactEquations::indices(rows); }
  ARMATURE_STEP static int modes(int contacts) { return 5 * contacts; }
  ARMATURE_STEP ContactSolver(int contacts, int rows, const ContactSolverMemory& memory)
      : s_(contacts, rows, memory.numbers, memory.kinds),
        iteration_(s_),
        equations_(s_, rows, memory.numbers + ContactProblem::numbers(contacts, rows), memory.indices) {
    double* p = memory.numbers + ContactProblem::numbers(contacts, rows) + ContactEquations::numbers(rows);
    swept_.p = p, solution_.p = p + rows, trial_.p = p + 2 * rows;
    swept_.modes = memory.modes, solution_.modes = swept_.modes + contacts, trial_.modes = solution_.modes + contacts;
    seen_ = trial_.modes + contacts, base_ = seen_ + contacts;
  }
  ContactSolver(const ContactSolver&) = delete;

  ARMATURE_STEP ContactProblem& problem() { return s_; }  // to be set before each solve(), which changes it
  ARMATURE_STEP ContactEquations& equations() { return equations_; }
  ARMATURE_STEP const ContactSolution& solution() const { return solution_; }  // while the problem is scaled
  ARMATURE_STEP ContactMode* room() { return base_; }                          // one a contact

  // Of the problem, which is scaled from then on.
  ARMATURE_CALLED const ContactSolution& solve() {
    s_.scale();
    for (int i = 0; i < s_.count; ++i) swept_.modes[i] = {}, seen_[i] = {};
    for (int k = 0; k < s_.rows; ++k) swept_.p[k] = 0;
    bool undetermined = true, has_seen = false;
    for (int k = 1; k <= most_sweeps; ++k) {
      iteration_.sweep(swept_.p, swept_.modes);
      const bool looks = k % sweeps_between_looks == 0;
      if (looks && take_swept(undetermined, contact::violated)) return solution_;
      if (k == sweeps_before_trying && s_.count <= few_contacts && try_all()) return beyond_limits();
      // looked at again where the iteration has found something else
      if (has_seen && (looks ? are_same(swept_.modes, seen_) : have_same_states(swept_.modes, seen_))) continue;
      has_seen = true;
      copy_modes(swept_.modes, seen_);
      const bool found = solve_pushing();
      undetermined = solution_.undetermined;
      if (found && are_finite(solution_) && s_.holds(solution_)) return beyond_limits();
    }
    if (try_all()) return solution_;
    take_swept(undetermined, nearly);
    return solution_;
  }

 private:
  static constexpr double nearly =
      1e-6;  // of the largest row: where an edge begins to slip the iteration hardly moves any more
  static constexpr double at_limit = resolved(1e-12);  // of the largest force: it would pull, or slip, at once
  static constexpr int most_sweeps = 4096, sweeps_between_looks = 32;
  static constexpr int most_tried = 6;  // contacts: each has four states
  static constexpr int sweeps_before_trying = 128,
                       few_contacts = 3;  // of so many all states are tried sooner than the iteration may end
  static constexpr int most_turns = 64;   // of the directions of those that slip in space

  ARMATURE_STEP void copy_modes(const ContactMode* from, ContactMode* to) const {
    for (int i = 0; i < s_.count; ++i) to[i] = from[i];
  }
  ARMATURE_STEP void copy_solution(const ContactSolution& from, ContactSolution& to) const {
    copy_modes(from.modes, to.modes);
    for (int k = 0; k < s_.rows; ++k) to.p[k] = from.p[k];
    to.found = from.found, to.undetermined = from.undetermined;
  }
  ARMATURE_STEP bool are_same(const ContactMode* a, const ContactMode* b) const {
    for (int i = 0; i < s_.count; ++i)
      if (!(a[i] == b[i])) return false;
    return true;
  }
  ARMATURE_STEP bool have_same_states(const ContactMode* a, const ContactMode* b) const {
    for (int i = 0; i < s_.count; ++i)
      if (a[i].state != b[i].state) return false;
    return true;
  }
  ARMATURE_STEP bool are_finite(const ContactSolution& solution) const {
    for (int k = 0; k < s_.rows; ++k)
      if (!finite(solution.p[k])) return false;
    return true;
  }

  // What the iteration has come to, if it is a solution.
  ARMATURE_STEP bool take_swept(bool undetermined, double tolerance) {
    copy_solution(swept_, solution_);
    solution_.undetermined = undetermined;
    return solution_.found = are_finite(solution_) && s_.holds(solution_, tolerance);
  }

  ARMATURE_STEP void solve_linear(ContactSolution& solution) {
    equations_.set(solution.modes);
    equations_.smallest(solution.p);
    solution.found = true, solution.undetermined = equations_.undetermined() > 0;
  }

  // In its modes, with the directions in which contacts slip in space: each is that of xi_t, which the others change.
  ARMATURE_CALLED void solve_directions(ContactSolution& solution) {
    solve_linear(solution);
    for (int pass = 0; pass < most_turns; ++pass) {
      const double* xi = s_.all_xi(solution.p);
      double turned = 0;
      for (int i = 0; i < s_.count; ++i) {
        ContactMode& mode = solution.modes[i];
        if (!s_.in_space(i) || sense(mode.state) == 0 || !s_.may(i, ContactState::stick)) continue;
        const Tangential slip = s_.tangential(xi, i), was = mode.along;
        if (!(length(slip) > contact::violated * s_.size)) continue;
        mode.along = direction_of(slip);
        turned = larger(turned, length(mode.along - was));
      }
      if (turned == 0) break;
      solve_linear(solution);
      if (turned < contact::settled) break;
    }
  }

  // Of the modes that the iteration has, without those that would pull, the worst first: smallest forces may pull where others that push
  // give the same motion.
  ARMATURE_CALLED bool solve_pushing() {
    copy_modes(swept_.modes, base_);
    for (int pass = 0; pass <= s_.count; ++pass) {
      copy_modes(base_, solution_.modes);
      solve_directions(solution_);
      if (!solution_.undetermined || s_.holds(solution_) || comes_within_cones()) return true;
      int worst = -1;
      for (int i = 0; i < s_.count; ++i)
        if (solution_.p[2 * i] < (worst < 0 ? 0 : solution_.p[2 * worst])) worst = i;
      if (worst < 0) return true;
      base_[worst].state = ContactState::open;
    }
    return false;
  }

  // Of contacts that stick the smallest forces may leave cones of friction where others give the same motion.
  ARMATURE_STEP bool comes_within_cones() {
    bool sticks = false;
    for (int i = 0; i < s_.count; ++i) sticks = sticks || s_.sticks(i, solution_.modes[i].state);
    if (!sticks) return false;
    copy_solution(solution_, trial_);
    equations_.set(trial_.modes);
    equations_.bring_within_cones(trial_.p);
    return take_trial();
  }
  ARMATURE_STEP bool take_trial() {
    if (!are_finite(trial_) || !s_.holds(trial_)) return false;
    copy_solution(trial_, solution_);
    return true;
  }

  ARMATURE_STEP const ContactSolution& beyond_limits() {
    stick();
    release();
    return solution_;
  }

  // Contacts of one body that slip without sliding may as well stick: where all of them can, none is at its limit.
  ARMATURE_CALLED void stick() {
    const double* xi = s_.all_xi(solution_.p);
    bool sticks = false;
    copy_modes(solution_.modes, trial_.modes);
    for (int i = 0; i < s_.count; ++i) {
      if (sense(trial_.modes[i].state) == 0 || !s_.may(i, ContactState::stick) ||
          !(length(s_.tangential(xi, i)) <= contact::violated * s_.size))
        continue;
      trial_.modes[i].state = ContactState::stick, sticks = true;
    }
    if (!sticks) return;
    solve_directions(trial_);
    take_trial();
  }

  // At an event a contact is at a limit of its state: what it does next is beyond it, where that gives the same motion.
  ARMATURE_CALLED void release() {
    double largest = 0;
    for (int k = 0; k < s_.rows; ++k) largest = larger(largest, absolute(solution_.p[k]));
    const double least = at_limit * largest;
    for (int i = 0; i < s_.count; ++i) {
      const double pn = solution_.p[2 * i];
      const Tangential pt = s_.tangential(solution_.p, i);
      copy_modes(solution_.modes, trial_.modes);
      ContactMode& mode = trial_.modes[i];
      if (mode.state != ContactState::open && pn <= least) {
        mode.state = ContactState::open;
      } else if (s_.sticks(i, mode.state) && length(pt) >= s_.mu[i] * pn - least) {
        mode.state = s_.in_space(i) || pt.x < 0 ? ContactState::slip_forwards : ContactState::slip_backwards;
        if (s_.in_space(i) && length(pt) > 0) mode.along = direction_of(-1 * pt);
      } else {
        continue;
      }
      solve_directions(trial_);
      take_trial();
    }
  }

  // The iteration may go round in circles between contacts that strongly depend on each other. A few contacts have few states: one after
  // the other is tried, those that push first.
  ARMATURE_CALLED bool try_all() {
    constexpr ContactState states[] = {ContactState::stick, ContactState::slip_forwards, ContactState::slip_backwards,
                                       ContactState::open};
    if (s_.count > most_tried) return solution_.found = false;
    for (int i = 0; i < s_.count; ++i) {
      base_[i] = {};
      if (s_.in_space(i))
        base_[i].along = s_.may(i, ContactState::stick) ? direction_of(s_.tangential(s_.b, i)) : s_.kind[i].along;
    }
    for (int code = 0; code < 1 << (2 * s_.count); ++code) {
      bool possible = true;
      copy_modes(base_, trial_.modes);
      for (int i = 0; i < s_.count; ++i) {
        const ContactState state = states[code >> (2 * i) & 3];
        trial_.modes[i].state = state;
        possible = possible && s_.may(i, state) && !(s_.in_space(i) && state == ContactState::slip_backwards);
      }
      if (!possible) continue;
      solve_directions(trial_);
      if (take_trial()) return true;
    }
    return solution_.found = false;
  }

  ContactProblem s_;
  ContactIteration iteration_;
  ContactEquations equations_;
  ContactSolution swept_, solution_, trial_;
  ContactMode *seen_, *base_;
};

}  // namespace armature::step
