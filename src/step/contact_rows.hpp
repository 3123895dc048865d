// The rigid contacts of a machine in one state, in the kinetic metric along its constraints: with the rows G of normals and tangents
//
//   M dv + Phi' mu = G' p,  Phi dv = 0     so that     G dv = A p,   A = G M^-1 G' of what the constraints leave free.
//
// Rows 2 i and 2 i + 1 are the normal and the tangent of contact i; second tangents, in space, stand behind all of these.
#pragma once

#include "step/called.hpp"
#include "step/kernel_outputs.hpp"
#include "step/least_norm.hpp"
#include "step/regularity.hpp"

namespace armature::step {

// What the kernel contact_rows puts out, one number or one row a contact.
struct ContactRowsView {
  ARMATURE_STEP static ContactRowsView of(const KernelOutputs<1>& out) {
    return {out.gaps->lane,
            out.gap_rates->lane,
            out.slidings->lane,
            out.second_slidings->lane,
            out.gap_biases->lane,
            out.sliding_biases->lane,
            out.second_sliding_biases->lane,
            out.restitutions->lane,
            out.frictions->lane,
            out.tangential_restitutions->lane,
            out.normals->lane,
            out.tangents->lane,
            out.second_tangents->lane};
  }
  const double *gaps, *gap_rates, *slidings, *second_slidings, *gap_biases, *sliding_biases, *second_sliding_biases;
  const double *restitutions, *frictions, *tangential_restitutions, *normals, *tangents, *second_tangents;
};
// The velocities that a unit of each impulse leaves: one row a contact, or all rows in the order of G.
struct ContactResponseView {
  const double *normals = nullptr, *tangents = nullptr, *seconds = nullptr, *all = nullptr;
};

// Some of the contacts, or of their rows.
struct ContactList {
  int* at = nullptr;
  int count = 0;
  ARMATURE_STEP void add(int i) { at[count++] = i; }
  ARMATURE_STEP bool has(int i) const {
    for (int k = 0; k < count; ++k)
      if (at[k] == i) return true;
    return false;
  }
};

class ContactRows {
 public:
  ARMATURE_STEP static int numbers(int contacts, int rows, int nv) {
    return 2 * rows * nv + 2 * rows * rows + 5 * rows + 4 * contacts + LeastNorm::numbers(rows, rows);
  }
  ARMATURE_STEP static int indices(int rows) { return LeastNorm::indices(rows); }
  // second: of each contact the row of its second tangent; -1: it has one.
  ARMATURE_STEP ContactRows(int contacts, int rows, int nv, const int* second, double* numbers, int* indices)
      : gap(numbers),
        restitution(gap + contacts),
        friction(restitution + contacts),
        tangential_restitution(friction + contacts),
        velocity(tangential_restitution + contacts),
        bias(velocity + rows),
        G(bias + rows),
        A(G + rows * nv),
        second_(second),
        n_(contacts),
        rows_(rows),
        nv_(nv),
        response_(A + rows * rows),
        own_(response_ + rows * nv),
        per_(own_ + rows * rows),
        change_(per_ + rows),
        p_(change_ + rows),
        least_(p_ + rows, indices) {}

  // The rows alone. False: something is no number.
  ARMATURE_CALLED bool take(const ContactRowsView& view) {
    for (int i = 0; i < n_; ++i) {
      gap[i] = view.gaps[i], restitution[i] = view.restitutions[i];
      friction[i] = view.frictions[i], tangential_restitution[i] = view.tangential_restitutions[i];
      take_row(2 * i, view.normals + i * nv_, view.gap_rates[i], view.gap_biases[i]);
      take_row(2 * i + 1, view.tangents + i * nv_, view.slidings[i], view.sliding_biases[i]);
      if (second(i) >= 0)
        take_row(second(i), view.second_tangents + i * nv_, view.second_slidings[i], view.second_sliding_biases[i]);
    }
    bool are_finite = true;
    for (int k = 0; k < rows_ * nv_; ++k) are_finite = are_finite && finite(G[k]);
    return are_finite;
  }
  // And what impulses along them do.
  ARMATURE_CALLED bool take(const ContactResponseView& view) {
    if (!view.normals && !view.all) return false;
    for (int k = 0; view.all && k < rows_ * nv_; ++k) response_[k] = view.all[k];
    for (int i = 0; view.normals && i < n_; ++i)
      for (int j = 0; j < nv_; ++j) {
        response_[2 * i * nv_ + j] = view.normals[i * nv_ + j];
        response_[(2 * i + 1) * nv_ + j] = view.tangents[i * nv_ + j];
        if (second(i) >= 0) response_[second(i) * nv_ + j] = view.seconds[i * nv_ + j];
      }
    bool are_finite = true;
    for (int i = 0; i < rows_; ++i)
      for (int j = 0; j <= i; ++j) {
        const double entry = 0.5 * (along(i, response_ + j * nv_) + along(j, response_ + i * nv_));
        A[i * rows_ + j] = A[j * rows_ + i] = entry;
        are_finite = are_finite && finite(entry);
      }
    return are_finite;
  }

  ARMATURE_STEP int count() const { return n_; }
  ARMATURE_STEP int rows() const { return rows_; }
  ARMATURE_STEP int second(int i) const { return second_[i]; }
  ARMATURE_STEP double a(int i, int j) const { return A[i * rows_ + j]; }
  ARMATURE_STEP double g(int row, int j) const { return G[row * nv_ + j]; }
  ARMATURE_STEP double gap_rate(int i) const { return velocity[2 * i]; }
  ARMATURE_STEP double speed(int i) const {  // |s|
    const double s = velocity[2 * i + 1], other = second(i) >= 0 ? velocity[second(i)] : 0;
    return square_root(s * s + other * other);
  }
  ARMATURE_STEP double along(int row, const double* dv) const {  // G dv
    double sum = 0;
    for (int j = 0; j < nv_; ++j) sum += g(row, j) * dv[j];
    return sum;
  }
  ARMATURE_STEP double changed(int row, const double* p) const {  // A p
    double sum = 0;
    for (int j = 0; j < rows_; ++j) sum += a(row, j) * p[j];
    return sum;
  }
  ARMATURE_CALLED void velocities_after(const double* p, double* dv) const {
    for (int j = 0; j < nv_; ++j) {
      double sum = 0;
      for (int row = 0; row < rows_; ++row) sum += response_[row * nv_ + j] * p[row];
      dv[j] = sum;
    }
  }

  // The smallest dv along the constraints with G dv = change(row) on some rows.
  template <class Change>
  ARMATURE_CALLED void velocities_for(const ContactList& rows, const Change& change, double* dv) {
    const int n = rows.count;
    for (int k = 0; k < rows_; ++k) p_[k] = 0;
    if (n > 0) {
      for (int i = 0; i < n; ++i) per_[i] = 1 / square_root(larger(a(rows.at[i], rows.at[i]), no_response));
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) own_[i * n + j] = per_[i] * a(rows.at[i], rows.at[j]) * per_[j];
      least_.factor(n, n, own_, Regularity::dependent);
      for (int i = 0; i < n; ++i) change_[i] = per_[i] * change(rows.at[i]);
      least_.solve(change_, change_);
      for (int i = 0; i < n; ++i) p_[rows.at[i]] = per_[i] * change_[i];
    }
    velocities_after(p_, dv);
  }

  double *gap, *restitution, *friction, *tangential_restitution;  // one a contact
  double *velocity, *bias;  // of all rows: G v + …, and its rate without accelerations
  double *G, *A;            // row by row

 private:
  static constexpr double no_response = 1e-300;  // keeps 0/0 away

  ARMATURE_STEP void take_row(int row, const double* along, double rate, double rest) {
    for (int j = 0; j < nv_; ++j) G[row * nv_ + j] = along[j];
    velocity[row] = rate, bias[row] = rest;
  }

  const int* second_;
  int n_, rows_, nv_;
  double *response_, *own_, *per_, *change_, *p_;
  LeastNorm least_;
};

}  // namespace armature::step
