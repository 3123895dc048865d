// The linear equations of contacts in given modes, K x = r. Unknowns are the normal parts of contacts that push and the tangential ones of
// those that stick; where a contact slips, its tangential part follows the normal one.
#pragma once

#include "step/contact_problem.hpp"
#include "step/least_norm.hpp"

namespace armature::step {

class ContactEquations {
 public:
  ARMATURE_STEP static int numbers(int rows) { return rows * rows + 3 * rows + LeastNorm::numbers(rows, rows); }
  ARMATURE_STEP static int indices(int rows) { return 2 * rows + LeastNorm::indices(rows); }
  ARMATURE_STEP ContactEquations(const ContactProblem& problem, int rows, double* numbers, int* indices)
      : s_(problem),
        K_(numbers),
        r_(K_ + rows * rows),
        x_(r_ + rows),
        left_(x_ + rows),
        rows_(indices),
        contact_(rows_ + rows),
        least_(left_ + rows, contact_ + rows) {}

  ARMATURE_CALLED void set(const ContactMode* modes) {
    // the unknowns
    modes_ = modes, size_ = 0;
    for (int i = 0; i < s_.count; ++i) {
      const ContactState state = modes[i].state;
      if (state == ContactState::open) continue;
      add(2 * i, i);
      if (!s_.sticks(i, state)) continue;
      add(2 * i + 1, i);
      if (s_.in_space(i)) add(s_.second(i), i);
    }
    // their equations: what slips drags along with its normal part
    for (int k = 0; k < size_; ++k) {
      const int row = rows_[k];
      r_[k] = -s_.b[row];
      for (int j = 0; j < size_; ++j) {
        const int column = rows_[j], i = contact_[j];
        double entry = s_.a(row, column);
        if (column == 2 * i) {
          entry += drag(i).x * s_.a(row, column + 1);
          if (s_.in_space(i)) entry += drag(i).y * s_.a(row, s_.second(i));
        }
        K_[k * size_ + j] = entry;
      }
    }
    if (size_ > 0) least_.factor(size_, size_, K_, contact::dependent_contacts);
  }
  ARMATURE_STEP int undetermined() const { return size_ == 0 ? 0 : size_ - least_.rank(); }

  ARMATURE_CALLED void smallest(double* p) {
    for (int k = 0; k < s_.rows; ++k) p[k] = 0;
    if (size_ == 0) return;
    least_.solve(r_, x_);
    put(x_, p);
  }
  // One of the forces that satisfy the equations besides; those of contacts that only touch may be negative.
  ARMATURE_CALLED void undetermined_force(int k, double* p) {
    for (int row = 0; row < s_.rows; ++row) p[row] = 0;
    least_.null_vector(k, x_);
    put(x_, p);
  }

  // p of the same motion within all cones of friction: by projections onto the cones, a little narrower, and onto the solutions in turn.
  // Those of p where there are none, or none that are found.
  ARMATURE_CALLED void bring_within_cones(double* p) {
    constexpr int most_passes = 1000;
    for (int pass = 0; pass < most_passes; ++pass) {
      if (are_within_cones(p)) return;
      for (int i = 0; i < s_.count; ++i) project_onto_cone(i, p);
      for (int k = 0; k < size_; ++k) x_[k] = p[rows_[k]];
      for (int k = 0; k < size_; ++k) {
        double sum = 0;
        for (int j = 0; j < size_; ++j) sum += K_[k * size_ + j] * x_[j];
        left_[k] = sum - r_[k];
      }
      least_.solve(left_, left_);
      for (int k = 0; k < size_; ++k) x_[k] -= left_[k];
      put(x_, p);
    }
  }

 private:
  static constexpr double narrower = 0.999;

  ARMATURE_STEP void add(int row, int i) { rows_[size_] = row, contact_[size_++] = i; }
  // p_t of what slips, for p_n = 1
  ARMATURE_STEP Tangential drag(int i) const { return -sense(modes_[i].state) * s_.mu[i] * modes_[i].along; }
  ARMATURE_STEP void put(const double* x, double* p) const {
    for (int k = 0; k < size_; ++k) p[rows_[k]] = x[k];
    for (int i = 0; i < s_.count; ++i)
      if (sense(modes_[i].state) != 0) s_.set_tangential(i, p[2 * i] * drag(i), p);
  }
  ARMATURE_STEP bool are_within_cones(const double* p) const {
    for (int i = 0; i < s_.count; ++i) {
      if (p[2 * i] < 0) return false;
      if (s_.sticks(i, modes_[i].state) && length(s_.tangential(p, i)) > s_.mu[i] * p[2 * i]) return false;
    }
    return true;
  }
  ARMATURE_STEP void project_onto_cone(int i, double* p) const {
    const double pn = p[2 * i], mu = narrower * s_.mu[i];
    if (!s_.sticks(i, modes_[i].state)) {
      p[2 * i] = larger(pn, 0);
      return;
    }
    const Tangential pt = s_.tangential(p, i);
    const double size = length(pt);
    if (size <= mu * pn) return;
    const double nearest = larger((pn + mu * size) / (1 + mu * mu), 0);
    p[2 * i] = nearest;
    s_.set_tangential(i, size > 0 ? mu * nearest / size * pt : Tangential{0, 0}, p);
  }

  const ContactProblem& s_;
  const ContactMode* modes_ = nullptr;
  double *K_, *r_, *x_, *left_;
  int *rows_, *contact_;  // of each unknown
  LeastNorm least_;
  int size_ = 0;
};

}  // namespace armature::step
