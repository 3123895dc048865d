// Gauss and Seidel's iteration: contact by contact, with the others as they are, until it is known which push, stick and slip.
#pragma once

#include "step/contact_problem.hpp"

namespace armature::step {

class ContactIteration {
 public:
  ARMATURE_STEP explicit ContactIteration(const ContactProblem& problem) : s_(problem) {}

  // Once over all contacts.
  ARMATURE_CALLED void sweep(double* p, ContactMode* modes) const {
    for (int i = 0; i < s_.count; ++i) {
      const Tangential was = s_.tangential(p, i);
      p[2 * i] = 0;
      s_.set_tangential(i, {0, 0}, p);
      const double rn = s_.xi(2 * i, p), rt = s_.xi(2 * i + 1, p);
      const OneContact one =
          s_.in_space(i) ? solve_in_space(i, rn, {rt, s_.xi(s_.second(i), p)}, was) : solve(i, rn, rt);
      p[2 * i] = one.pn;
      s_.set_tangential(i, one.pt, p);
      modes[i] = one.mode;
    }
  }

 private:
  static constexpr int most_projections = 64;  // of one contact in a sweep

  struct OneContact {
    double pn = 0;
    Tangential pt{0, 0};
    ContactMode mode;
  };

  // rn, rt: its rows without its own part.
  ARMATURE_STEP OneContact solve(int i, double rn, double rt) const {
    const double nn = s_.a(2 * i, 2 * i), nt = s_.a(2 * i, 2 * i + 1), tt = s_.a(2 * i + 1, 2 * i + 1), mu = s_.mu[i];
    if (rn >= 0 || !(nn > 0)) return {};
    if (!s_.has_friction(i)) return {-rn / nn, {0, 0}, {ContactState::stick, {}}};
    // it sticks, if that is inside its cone
    const double determinant = nn * tt - nt * nt;
    if (s_.may(i, ContactState::stick) && tt > 0 && determinant > contact::dependent_contacts * nn * tt) {
      const double pn = (nt * rt - tt * rn) / determinant, pt = (nt * rn - nn * rt) / determinant;
      if (pn >= 0 && absolute(pt) <= mu * pn) return {pn, {pt, 0}, {ContactState::stick, {}}};
    }
    // else it slips, the way in which friction is against it
    OneContact best;
    for (int k = 0; k < 2; ++k) {
      const ContactState state = k == 0 ? ContactState::slip_forwards : ContactState::slip_backwards;
      if (!s_.may(i, state)) continue;
      const double along = sense(state), slope = nn - along * mu * nt;
      if (!(slope > 0)) continue;
      const double pn = -rn / slope, pt = -along * mu * pn;
      best = {pn, {pt, 0}, {state, {}}};
      if (along * (rt + nt * pn + tt * pt) >= 0 || !s_.may(i, ContactState::stick)) break;
    }
    return best;
  }

  // In space. One that slides already is solved for p_n alone. Else p_t is found by projections onto the disk |p_t| <= mu p_n, starting
  // from what it was: p_t <- projection of p_t - xi_t/stiffest.
  ARMATURE_STEP OneContact solve_in_space(int i, double rn, Tangential rt, Tangential pt) const {
    const double nn = s_.a(2 * i, 2 * i), mu = s_.mu[i];
    if (rn >= 0 || !(nn > 0)) return {};
    if (!s_.has_friction(i)) return {-rn / nn, {0, 0}, {ContactState::stick, {}}};
    const int first = 2 * i + 1, second = s_.second(i);
    const Tangential nt{s_.a(2 * i, first), s_.a(2 * i, second)};
    if (!s_.may(i, ContactState::stick)) {
      const Tangential along = s_.kind[i].along;
      const double slope = nn - mu * dot(nt, along), pn = -rn / slope;
      if (!(slope > 0)) return {};
      return {pn, -mu * pn * along, {ContactState::slip_forwards, along}};
    }
    // of the tangents: their part of A, and its largest eigenvalue
    const double xx = s_.a(first, first), xy = s_.a(first, second), yx = s_.a(second, first), yy = s_.a(second, second);
    const double middle = 0.5 * (xx + yy),
                 stiffest = middle + square_root(larger(middle * middle - (xx * yy - yx * xy), 0));
    OneContact one;
    for (int pass = 0; pass < most_projections; ++pass) {
      one.pn = larger(0, -(rn + dot(nt, pt)) / nn);
      const Tangential pulled{rt.x + nt.x * one.pn + (xx * pt.x + xy * pt.y),
                              rt.y + nt.y * one.pn + (yx * pt.x + yy * pt.y)};
      const Tangential next = pt - 1 / stiffest * pulled, before = pt;
      const double limit = mu * one.pn, size = length(next);
      const bool slips = size > limit;
      pt = slips ? limit / size * next : next;
      one.mode.state = one.pn == 0 ? ContactState::open : slips ? ContactState::slip_forwards : ContactState::stick;
      if (slips) one.mode.along = -1 / size * next;
      if (length(pt - before) <= contact::settled * (length(pt) + absolute(rn))) break;
    }
    one.pt = pt;
    return one;
  }

  const ContactProblem& s_;
};

}  // namespace armature::step
