// Whether contacts leave the motion open. Forces z that the equations of their modes do not determine,
//
//   A_n (z_n + friction of z_n) = 0   on the rows that push or stick,
//
// cancel along the normals. Where contacts slide in different directions their friction does not: A (z_n + friction of z_n) is not zero.
#pragma once

#include "step/contact_solver.hpp"

namespace armature::step {

class ContactFreedom {
 public:
  ARMATURE_STEP static int numbers(int rows) { return rows * rows + 2 * rows + LeastNorm::numbers(rows, rows); }
  ARMATURE_STEP static int indices(int rows) { return LeastNorm::indices(rows); }
  ARMATURE_STEP ContactFreedom(ContactSolver& solver, int rows, double* numbers, int* indices)
      : s_(solver.problem()),
        solver_(solver),
        forces_(numbers),
        p_(forces_ + rows * rows),
        part_(p_ + rows),
        columns_(part_ + rows, indices) {}

  // Of modes alone; the problem is scaled.
  ARMATURE_CALLED bool leaves_open(const ContactMode* modes) { return any_slips(modes) && accelerates(modes); }

  // Of the solver's solution; contacts that touch without a force may push as well.
  ARMATURE_CALLED bool leaves_open() {
    const ContactSolution& solution = solver_.solution();
    if (!solution.found) return false;
    if (leaves_open(solution.modes)) return true;
    ContactMode* modes = solver_.room();
    if (!take_touching(solution, modes) || !any_slips(modes) || !accelerates(modes)) return false;
    find_pushing(solution, modes);
    double largest = 0;
    for (int k = 0; k < s_.rows; ++k) largest = larger(largest, absolute(p_[k]));
    for (int i = 0; i < s_.count; ++i)
      if (touches(solution, modes, i) && p_[2 * i] < -other_motion) return false;
    return largest > other_motion && largest_product(p_) > other_motion * largest;
  }

 private:
  static constexpr double other_motion =
      1e-6;  // of the largest force: by which forces that are not determined accelerate

  // Some slips, and not all of them touch without friction.
  ARMATURE_STEP bool any_slips(const ContactMode* modes) const {
    for (int i = 0; i < s_.count; ++i)
      if (sense(modes[i].state) != 0 && s_.mu[i] > 0) return true;
    return false;
  }
  ARMATURE_STEP double largest_product(const double* p) const {
    double largest = 0;
    for (int k = 0; k < s_.rows; ++k) largest = larger(largest, absolute(s_.product(k, p)));
    return largest;
  }

  // The undetermined forces of modes, one behind the other; whether they accelerate the machine.
  ARMATURE_CALLED bool accelerates(const ContactMode* modes) {
    solver_.equations().set(modes);
    count_ = solver_.equations().undetermined();
    double largest = 0, moved = 0;
    for (int k = 0; k < count_; ++k) {
      double* force = forces_ + k * s_.rows;
      solver_.equations().undetermined_force(k, force);
      for (int row = 0; row < s_.rows; ++row) largest = larger(largest, absolute(force[row]));
      moved = larger(moved, largest_product(force));
    }
    return moved > other_motion * largest;
  }

  // It was open, and takes part now.
  ARMATURE_STEP bool touches(const ContactSolution& solution, const ContactMode* modes, int i) const {
    return solution.modes[i].state != modes[i].state;
  }
  // modes: those of the solution, and contacts that touch without a force slip as they would.
  ARMATURE_CALLED bool take_touching(const ContactSolution& solution, ContactMode* modes) const {
    const double* xi = s_.all_xi(solution.p);
    const double still = contact::violated * s_.size;
    bool any = false;
    for (int i = 0; i < s_.count; ++i) {
      ContactMode& mode = modes[i] = solution.modes[i];
      if (mode.state != ContactState::open || absolute(xi[2 * i]) > still) continue;
      const Tangential slip = s_.tangential(xi, i);
      if (!s_.has_friction(i)) {
        mode.state = ContactState::stick;
      } else if (!s_.may(i, ContactState::stick)) {
        const bool forwards = s_.may(i, ContactState::slip_forwards);
        mode = {forwards ? ContactState::slip_forwards : ContactState::slip_backwards, s_.kind[i].along};
      } else if (length(slip) > still) {
        mode.state = s_.in_space(i) || slip.x > 0 ? ContactState::slip_forwards : ContactState::slip_backwards;
        if (s_.in_space(i)) mode.along = direction_of(slip);
      } else {
        continue;
      }
      any = true;
    }
    return any;
  }

  // p_: undetermined forces in which contacts that touch push, by projections onto those forces and onto those that push in turn.
  ARMATURE_CALLED void find_pushing(const ContactSolution& solution, const ContactMode* modes) {
    constexpr int most_passes = 500;
    factor_columns();
    for (int k = 0; k < s_.rows; ++k) p_[k] = 0;
    for (int i = 0; i < s_.count; ++i)
      if (touches(solution, modes, i)) p_[2 * i] = 1;
    for (int pass = 0; pass < most_passes; ++pass) {
      project();
      bool push = true;
      for (int i = 0; i < s_.count; ++i)
        if (touches(solution, modes, i) && p_[2 * i] < 0) push = push && p_[2 * i] > -other_motion, p_[2 * i] = 0;
      if (push) break;
    }
    project();
  }
  ARMATURE_STEP void factor_columns() {
    double* columns = columns_.room();
    for (int row = 0; row < s_.rows; ++row)
      for (int k = 0; k < count_; ++k) columns[row * count_ + k] = forces_[k * s_.rows + row];
    columns_.factor(s_.rows, count_, columns, epsilon * count_);
  }
  ARMATURE_STEP void project() {
    columns_.solve(p_, part_);
    for (int row = 0; row < s_.rows; ++row) {
      double sum = 0;
      for (int k = 0; k < count_; ++k) sum += forces_[k * s_.rows + row] * part_[k];
      p_[row] = sum;
    }
  }

  const ContactProblem& s_;
  ContactSolver& solver_;
  double *forces_, *p_, *part_;
  LeastNorm columns_;
  int count_ = 0;  // of undetermined forces
};

}  // namespace armature::step
