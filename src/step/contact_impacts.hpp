// Collisions of contacts that approach each other: Newton's restitution g+ >= -e g-, Coulomb's friction with a tangential restitution, for
// all contacts that touch, at once and with all loops, or one after the other. The energy of a collision never grows: where friction or
// several contacts with Newton's law would have it grow, all restitutions are reduced by one factor until it does not.
#pragma once

#include "step/contact_search.hpp"

namespace armature::step {

template <class Engine>
class ContactImpacts : public ContactSearch<Engine> {
  using Base = ContactSearch<Engine>;

 public:
  using Base::Base;

 protected:
  using Base::contacts_;
  using Base::engine_;
  using Base::n_;
  using Base::rows_;
  using Base::search_;
  using Base::t_;
  using Base::x_;
  using typename Base::List;

  // False: no impulses satisfy the impact.
  ARMATURE_CALLED bool collide(const List& touching) {
    // impulses, with restitutions reduced where the energy would grow
    if (!find_impulses(touching, 1)) return false;
    if (energy_grows()) {
      double low = 0, high = 1;
      for (int k = 0; k < most_halvings && high - low > resolved(1e-15); ++k) {
        const double middle = 0.5 * (low + high);
        if (!find_impulses(touching, middle)) return false;
        (energy_grows() ? high : low) = middle;
      }
      if (!find_impulses(touching, low)) return false;
      engine_.reduces_restitutions(touching, low);
    }
    if (this->found_open_) note_open(touching, true);
    // velocities jump
    rows_.velocities_after(this->p_, this->dv_);
    add_velocities(this->dv_);
    for (int k = 0; k < touching.count; ++k) {
      const int i = touching.at[k];
      const double before = rows_.gap_rate(i);
      if (this->p_[2 * i] > 0 && before < -contacts_[i].rate)
        engine_.collided(i, before, before + rows_.changed(2 * i, this->p_));
    }
    return this->evaluate();
  }

  ARMATURE_CALLED void add_velocities(const double* dv) {
    const double before = engine_.stored_energy(t_, x_);
    for (int j = 0; j < n_.nv; ++j) x_[n_.nq + j] += dv[j];
    const double after = engine_.stored_energy(t_, x_);
    if (n_.impact_work >= 0) x_[n_.impact_work] += after - before;
  }
  // A motion that is open is not said to be independent of the shares of forces as well.
  ARMATURE_STEP void note_open(const List& contacts, bool impact) {
    if (!search_.is_open) engine_.motion_open(contacts, impact);
    search_.is_open = true;
  }

 private:
  static constexpr double no_gain = resolved(1e-12);  // of the energy that a collision turns over: round-off
  static constexpr int most_halvings = 60;

  // p_, with restitutions times `part`.
  ARMATURE_CALLED bool find_impulses(const List& touching, double part) {
    for (int row = 0; row < rows_.rows(); ++row) this->p_[row] = 0;
    engine_.forget_impulses();
    return this->options_.sequential ? collide_one_by_one(touching, part) : collide_at_once(touching, part);
  }

  ARMATURE_CALLED bool collide_at_once(const List& touching, double part) {
    ContactProblem& problem = this->pose(touching);
    double* velocity = this->velocity_;  // with what impulses before have changed
    for (int row = 0; row < rows_.rows(); ++row) velocity[row] = rows_.velocity[row] + rows_.changed(row, this->p_);
    for (int k = 0; k < touching.count; ++k) {
      const int i = touching.at[k];
      const double rate = velocity[2 * i], back = 1 + part * rows_.tangential_restitution[i];
      problem.b[2 * k] = rate + part * rows_.restitution[i] * smaller(rate, 0);
      problem.b[2 * k + 1] = back * velocity[2 * i + 1];
      if (problem.in_space(k)) problem.b[problem.second(k)] = back * velocity[rows_.second(i)];
    }
    if (!this->add_solution(this->p_)) return false;
    note_impulse(touching, part);
    return true;
  }

  // Which laws held of the rows of contacts along one tangent: for derivatives, of which those in space have none.
  ARMATURE_STEP void note_impulse(const List& touching, double part) {
    engine_.begin_impulse(part);
    for (int k = 0; k < touching.count; ++k) {
      const int i = touching.at[k];
      const ContactState state = this->found_[k].state;
      if (state == ContactState::open) continue;
      engine_.law(2 * i, this->velocity_[2 * i] < 0 ? ImpulseLaw::restores : ImpulseLaw::stops);
      if (!this->is_rough(i)) continue;
      engine_.law(2 * i + 1, state == ContactState::stick           ? ImpulseLaw::restores
                             : state == ContactState::slip_forwards ? ImpulseLaw::slips_forwards
                                                                    : ImpulseLaw::slips_backwards);
    }
  }

  // The contact that approaches fastest, in the kinetic metric, until none does faster than the tolerances resolve.
  ARMATURE_CALLED bool collide_one_by_one(const List& touching, double part) {
    constexpr int most = 10000;
    for (int pass = 0; pass < most; ++pass) {
      List fastest = this->contact_list(2);
      double largest = 0;
      for (int k = 0; k < touching.count; ++k) {
        const int i = touching.at[k];
        const double rate = rows_.gap_rate(i) + rows_.changed(2 * i, this->p_);
        const double approach = -rate / square_root(rows_.a(2 * i, 2 * i));
        if (rate < -contacts_[i].rate && approach > largest) fastest.at[0] = i, fastest.count = 1, largest = approach;
      }
      if (fastest.count == 0) return true;
      if (!collide_at_once(fastest, part)) return false;
    }
    return collide_at_once(touching, 0);  // what is left of an endless sequence ends
  }

  // Energy that the impulses add, as seen by the surfaces: what moves them with t may do work.
  ARMATURE_CALLED bool energy_grows() const {
    double gained = 0, turned = 0;
    for (int row = 0; row < rows_.rows(); ++row) {
      const double change = rows_.changed(row, this->p_);
      gained += this->p_[row] * (rows_.velocity[row] + 0.5 * change);
      turned += this->p_[row] * change;
    }
    return gained > no_gain * turned;
  }
};

}  // namespace armature::step
