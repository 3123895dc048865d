// What happens to contacts at a change, solved for all that touch, at once and with all loops:
//
//   1. Those that approach collide (contact_impacts.hpp).
//   2. Bounces that the tolerances cannot resolve end: the height that a contact leaves with, g^2/2a, is below what they leave
//      uncertain of its gap. The geometric series of the bounces that would follow says when it comes to rest.
//   3. Those that neither approach nor leave push, stick or slide, as the accelerations say.
#pragma once

#include "step/contact_impacts.hpp"

namespace armature::step {

// Why no motion follows.
enum class ContactOutcome : char {
  goes_on,
  no_numbers,    // a gap or the inertia is not a number
  overlap,       // rigid surfaces have gone through each other
  no_impulses,   // that satisfy an impact
  no_forces,     // that satisfy contacts which rest
  starts_closed  // beyond contact
};

template <class Engine>
class ContactChanges : public ContactImpacts<Engine> {
  using Base = ContactImpacts<Engine>;

 public:
  using Base::Base;

  // Exactly there, as a motion was that is continued: nothing changes. False: something is not a number.
  ARMATURE_CALLED bool resume(double t, double* x) {
    search_ = {}, t_ = t, x_ = x;
    for (int i = 0; i < n_.contacts; ++i) contacts_[i] = {};
    if (!this->evaluate()) return false;
    search_.length = engine_.machine_length(t, x);
    this->take_tolerances();
    for (int i = 0; i < n_.contacts; ++i) {
      Contact& contact = contacts_[i];
      contact.armed = this->closed(i, d_) ? rows_.speed(i) > contact.sliding : rows_.gap[i] > contact.gap;
      contact.slack = larger(2 * larger(-rows_.gap[i], 0), contact.gap);
    }
    return true;
  }

  // At the start: what touches is no event, what collides is.
  ARMATURE_CALLED ContactOutcome begin(double t, double* x) {
    if (!resume(t, x)) return ContactOutcome::no_numbers;
    for (int i = 0; i < n_.contacts; ++i)
      if (!this->closed(i, d_) && rows_.gap[i] < -contacts_[i].gap) return culprit_ = i, ContactOutcome::starts_closed;
    for (int i = 0; i < n_.contacts; ++i) contacts_[i].armed = false;
    starting_ = true;
    const ContactOutcome outcome = change(t, x);
    starting_ = false;
    for (int i = 0; i < n_.contacts; ++i)
      if (!this->closed(i, d_)) contacts_[i].armed = rows_.gap[i] > contacts_[i].gap;
    return outcome;
  }

  // At the state, which is at a change. x and the discrete values become those after it.
  ARMATURE_CALLED ContactOutcome change(double t, double* x) {
    t_ = t, x_ = x;
    engine_.forget_impulses();
    this->forget();
    this->forget_pace();
    if (!this->evaluate()) return ContactOutcome::no_numbers;
    if (culprit_ = this->overlapping(rows_.gap); culprit_ >= 0) return ContactOutcome::overlap;
    this->take_tolerances();
    touching_ = this->contact_list(0);
    bool approach = false;
    for (int i = 0; i < n_.contacts; ++i) {
      const bool is_closed = this->closed(i, d_);
      if (!is_closed && !(rows_.gap[i] <= contacts_[i].gap)) continue;
      touching_.add(i);
      approach = approach || rows_.gap_rate(i) < -contacts_[i].rate * (is_closed ? drift : 1);
    }
    if (approach && !this->collide(touching_)) return ContactOutcome::no_impulses;
    return rest() ? ContactOutcome::goes_on : ContactOutcome::no_forces;
  }

  // Of the last change.
  ARMATURE_STEP const ContactList& touching() const { return touching_; }
  ARMATURE_STEP int culprit() const { return culprit_; }  // of an overlap
  ARMATURE_STEP double gap(int i) const { return rows_.gap[i]; }
  ARMATURE_STEP bool is_rough(int i) const { return rows_.friction[i] > 0; }

 private:
  using Base::contacts_;
  using Base::d_;
  using Base::engine_;
  using Base::n_;
  using Base::rows_;
  using Base::search_;
  using Base::t_;
  using Base::x_;
  using typename Base::List;

  static constexpr double soft = 1e-6;  // of the diagonal, where forces are undetermined: docs/design/017-contact.md
  static constexpr double settled_gap = 1e-3;  // of what the tolerances leave uncertain: not worth a correction
  // Of what the tolerances leave uncertain of a rate: a closed contact that approaches slower has drifted.
  static constexpr double drift = 1e4;

  ARMATURE_CALLED bool rest() {
    for (int i = 0; i < n_.nd; ++i) this->d_before_[i] = d_[i];
    // which of those that touch rest, and how
    resting_ = this->contact_list(1);
    for (int k = 0; k < touching_.count; ++k)
      if (rows_.gap_rate(touching_.at[k]) <= contacts_[touching_.at[k]].rate) resting_.add(touching_.at[k]);
    find_forces_at_rest();
    for (int i = 0; i < n_.nd; ++i) d_[i] = this->d_before_[i];
    if (!this->found_any_) return false;
    // their modes, on their surfaces and without the rates that they lose
    set_modes();
    close_gaps();
    if (!this->evaluate()) return false;
    stop_rates(this->found_);
    engine_.take_discrete();
    tell_changes();
    return true;
  }

  // Of those that rest, and of others that would be back at once, which rest from now on.
  ARMATURE_CALLED void find_forces_at_rest() {
    find_forces_that_stop();
    for (int pass = 0; pass < n_.contacts && this->found_any_; ++pass) {
      if (!take_settled()) break;
      stop_rates(nullptr);
      if (this->evaluate())
        find_forces_that_stop();
      else
        this->found_any_ = false;
    }
  }

  // Corners of one edge come to rest together, but for what the tolerances leave uncertain. Where one alone stuck, friction would turn the
  // other back and forth in times that nothing resolves. Those that slide slowly may stick, too; if they do not, they slide as they did.
  ARMATURE_CALLED void find_forces_that_stop() {
    bool any = false;
    for (int k = 0; k < resting_.count; ++k) any = any || slides_slowly(resting_.at[k]);
    if (any && this->solve_forces(resting_, contact::slow_sliding)) {
      bool all_stick = true;
      for (int k = 0; k < resting_.count; ++k)
        all_stick = all_stick && (!slides_slowly(resting_.at[k]) || this->found_[k].state == ContactState::stick);
      if (all_stick) return;
    }
    this->solve_forces(resting_);
  }
  ARMATURE_STEP bool slides_slowly(int i) const {
    const double uncertain = contacts_[i].sliding, speed = rows_.speed(i);
    return Base::is_rough(i) && speed > uncertain && speed <= contact::slow_sliding * uncertain;
  }

  // Contacts that leave slowly and would be back before they are as far away as the tolerances resolve: they rest as well.
  ARMATURE_CALLED bool take_settled() {
    List all = this->contact_list(3);
    bool any = false;
    for (int k = 0; k < touching_.count; ++k) {
      const int i = touching_.at[k];
      if (resting_.has(i)) {
        all.add(i);
        continue;
      }
      const double rate = rows_.gap_rate(i), back = -(rows_.along(2 * i, this->xdot_ + n_.nq) + rows_.bias[2 * i]);
      if (!(back > 0 && rate * rate <= 2 * back * contacts_[i].gap)) continue;
      any = true;
      all.add(i);
      const double e = rows_.restitution[i];
      engine_.settles(i, e < 1 ? t_ + 2 * rate / (back * (1 - e)) : infinity);
    }
    resting_.count = 0;
    for (int k = 0; k < all.count; ++k) resting_.add(all.at[k]);
    return any;
  }

  // Rates of what rests, and sliding of what sticks, are zero. modes: null where none is known.
  ARMATURE_CALLED void stop_rates(const ContactMode* modes) {
    List rows = this->row_list();
    for (int k = 0; k < resting_.count; ++k) {
      const int i = resting_.at[k];
      // one that ceases to push does not go back
      if (modes && modes[k].state == ContactState::open && rows_.gap_rate(i) >= 0) continue;
      rows.add(2 * i);
      if (!modes || modes[k].state != ContactState::stick || !Base::is_rough(i)) continue;
      rows.add(2 * i + 1);
      if (rows_.second(i) >= 0) rows.add(rows_.second(i));
    }
    if (rows.count == 0) return;
    engine_.begin_impulse(1);
    bool moves = false;
    for (int k = 0; k < rows.count; ++k) {
      engine_.law(rows.at[k], ImpulseLaw::stops);
      moves = moves || rows_.velocity[rows.at[k]] != 0;
    }
    if (!moves) return;
    rows_.velocities_for(
        rows, [&](int row) { return -rows_.velocity[row]; }, this->dv_);
    this->add_velocities(this->dv_);
  }

  // What the integrator erred by.
  ARMATURE_CALLED void close_gaps() {
    List rows = this->row_list();
    bool open = false;
    for (int i = 0; i < n_.contacts; ++i) {
      if (!this->closed(i, d_)) continue;
      rows.add(2 * i);
      open = open || absolute(rows_.gap[i]) > settled_gap * contacts_[i].gap;
    }
    if (!open) return;
    rows_.velocities_for(
        rows, [&](int row) { return -rows_.gap[row / 2]; }, this->dv_);
    const double before = engine_.stored_energy(t_, x_);
    n_.configuration.template advance<1>(true, reinterpret_cast<const Row<1>*>(this->dv_),
                                         reinterpret_cast<Row<1>*>(x_));
    const double after = engine_.stored_energy(t_, x_);
    if (n_.impact_work >= 0) x_[n_.impact_work] += after - before;
  }

  ARMATURE_CALLED void set_modes() {
    this->open_all();
    for (int k = 0; k < resting_.count; ++k) {
      const int i = resting_.at[k];
      const ContactPlaces& at = n_.places[i];
      const ContactState state = this->found_[k].state;
      if (state == ContactState::open) continue;
      d_[at.closed] = 1;
      if (!at.has_friction()) continue;
      d_[at.sticks] = state == ContactState::stick && rows_.friction[i] > 0;
      if (state != ContactState::stick) set_slip(i, this->found_[k]);
    }
    d_[n_.softness] = this->found_undetermined_ ? soft : 0;
    for (int i = 0; i < n_.contacts; ++i) {
      Contact& contact = contacts_[i];
      const double gap = rows_.gap[i];
      if (!is_as_before(i) || !this->closed(i, d_)) contact.armed = !this->closed(i, d_) && gap > contact.gap;
      // one that leaves is where it is but for round-off; one that only ceases to push may stay where it is for a while
      contact.slack = larger(2 * larger(-gap, 0), rows_.gap_rate(i) > contact.rate ? 0 : contact.gap);
    }
  }
  ARMATURE_STEP void set_slip(int i, const ContactMode& mode) {
    const ContactPlaces& at = n_.places[i];
    d_[at.direction] = at.in_space() ? mode.along.x : mode.state == ContactState::slip_forwards ? 1 : -1;
    if (!at.in_space()) return;
    // Friction turns what slides slowly at once, mu g/|s| a second: where sliding begins from rest, that would take steps without number
    const double least = contacts_[i].sliding;
    d_[at.across] = mode.along.y;
    d_[at.slow] = rows_.speed(i) > least ? least : least / square_root(this->options_.rtol);
  }
  ARMATURE_STEP bool is_as_before(int i) const {
    const double* before = this->d_before_;
    if (this->closed(i, d_) != this->closed(i, before) || this->sticks(i, d_) != this->sticks(i, before)) return false;
    return !this->slides(i, d_) || n_.places[i].in_space() || before[n_.places[i].direction] == this->direction(i);
  }

  // To the engine: changes of modes, and what contacts leave open.
  ARMATURE_CALLED void tell_changes() {
    const double* before = this->d_before_;
    for (int i = 0; i < n_.contacts && !starting_; ++i) {
      const bool is_closed = this->closed(i, d_), slides = this->slides(i, d_);
      if (is_closed != this->closed(i, before))
        engine_.changed(i, is_closed ? ContactChange::closes : ContactChange::opens);
      else if (this->sticks(i, before) && slides)
        engine_.changed(i, ContactChange::slips);
      else if (this->slides(i, before) && this->sticks(i, d_))
        engine_.changed(i, ContactChange::sticks);
      else if (this->slides(i, before) && slides && !is_as_before(i))
        engine_.changed(i, ContactChange::slides_back);
    }
    if (this->found_open_) this->note_open(resting_, false);
    if (!this->found_undetermined_ || search_.is_undetermined || search_.is_open) return;
    search_.is_undetermined = true;
    List pushing = this->contact_list(3);
    for (int k = 0; k < resting_.count; ++k)
      if (this->found_[k].state != ContactState::open) pushing.add(resting_.at[k]);
    engine_.forces_undetermined(pushing);
  }

  List touching_, resting_;
  int culprit_ = -1;
  bool starting_ = false;
};

}  // namespace armature::step
