// The first time in a step at which a contact changes, located on dense output:
//
//   open       the gap closes
//   closed     N would pull; s = 0 of one that slides; |T| = mu N of one that sticks
//
// Gaps and sliding velocities are searched with ranges where they may become zero; forces, for which ranges are too wide, are sampled.
#pragma once

#include "step/contact_pull.hpp"
#include "step/zero_crossings.hpp"
#include "step/zero_search.hpp"

namespace armature::step {

namespace contact {
inline constexpr double penetrated =
    1e-3;  // of the machine's length, or of a radian: as far as constraints may open in a run
}  // namespace contact

template <class Engine>
class ContactSearch : public ContactPull<Engine> {
  using Base = ContactPull<Engine>;

 public:
  ARMATURE_STEP ContactSearch(Engine& engine, const ContactSizes& sizes, const ContactMemory& memory, double* d,
                              const ContactOptions& options)
      : Base(engine, sizes, memory, d, options),
        zeros_(engine.gap_ranges()),
        guards_(memory.guards),
        begin_(memory.kept),
        previous_(memory.kept + 3 * sizes.contacts) {}

  // Forces and velocities have jumped.
  ARMATURE_STEP void forget() {
    search_.walk.forget();
    engine_.forget_forces();
    search_.knows_beginning = false, search_.previous_length = 0;
  }

  // Up to `until`.
  template <class Step>
  ARMATURE_CALLED EventTime find_change(const Step& step, double until) {
    this->look_at_sliding(step);
    take(3 * n_.contacts, engine_.contact_motion(until, this->there(step, until)), end_);
    EventTime change = find_zero(step, until);
    if (any_closed())
      if (const EventTime pull = this->find_pull(step, change.found ? change.t : until); pull.found) change = pull;
    engine_.forget_forces();
    if (!change.found && (has_drifted() || overlapping(end_) >= 0)) change = {true, until};
    if (!change.found) note_end();
    if (!change.found && until == step.t()) begin_next(step);
    return change;
  }

  // Where somebody else takes the steps: how far each contact is from its changes, two numbers a contact: its gap, or what it presses; its
  // sliding, or what is left of what can stick; 1 where there is none. Negative: it has to change.
  ARMATURE_CALLED void look(double t, const double* x, double* margins) {
    const int n = n_.contacts;
    take(3 * n, engine_.contact_motion(t, x), end_);
    for (int i = 0; i < n; ++i) {
      const Contact& contact = contacts_[i];
      margins[2 * i] = this->closed(i, d_) ? 1 : end_[i] + (contact.armed ? 0 : contact.slack);
      margins[2 * i + 1] = !(this->slides(i, d_) && contact.friction > 0)
                               ? 1
                               : this->direction(i) * end_[n + i] + (contact.armed ? 0 : contact.sliding);
    }
    if (any_closed()) this->look_at_forces(t, x, margins);
  }
  // Whether one has to change at this state; if not, a step ends there.
  ARMATURE_CALLED bool arrive(double t, const double* x, double* margins) {
    look(t, x, margins);
    for (int k = 0; k < 2 * n_.contacts; ++k)
      if (margins[k] < 0) return true;
    if (has_drifted() || overlapping(end_) >= 0) return true;
    note_end();
    return false;
  }

 protected:
  using Base::contacts_;
  using Base::d_;
  using Base::end_;
  using Base::engine_;
  using Base::n_;
  using Base::rows_;
  using Base::search_;
  using Base::take;

  // A gap with a kink, as that of a rim that comes to lie flat, may be missed by any step: nothing goes on from there. -1: there is none.
  ARMATURE_STEP int overlapping(const double* gaps) const {
    for (int i = 0; i < n_.contacts; ++i) {
      const double size = n_.places[i].is_length ? search_.length : 1;
      if (!this->closed(i, d_) && size > 0 && gaps[i] < -contact::penetrated * size - contacts_[i].gap) return i;
    }
    return -1;
  }
  ARMATURE_STEP void forget_pace() { search_.walk.pace = 0; }

 private:
  ARMATURE_STEP bool any_closed() const {
    for (int i = 0; i < n_.contacts; ++i)
      if (this->closed(i, d_)) return true;
    return false;
  }

  // ---- gaps and sliding velocities

  // Of a gap just opened, or a sliding just begun, the zero that it left does not count.
  ARMATURE_STEP int put_guards() {
    int count = 0;
    const int n = n_.contacts;
    for (int i = 0; i < n; ++i) {
      const Contact& contact = contacts_[i];
      if (!this->closed(i, d_))
        guards_[count++] = {i, 1, contact.armed ? 0 : contact.slack};
      else if (this->slides(i, d_) && contact.friction > 0)
        guards_[count++] = {n + i, this->direction(i), contact.armed ? 0 : contact.sliding};
    }
    return count;
  }

  // Of values at three points in a row: all are positive, and farther from zero than what lies between them is likely to stray.
  ARMATURE_STEP static bool stay_positive(double a, double b, double c) {
    return smaller(smaller(a, b), c) > 2 * (absolute(b - a) + absolute(c - b));
  }

  // Those that may close come to the front; returns how many they are. Most are far from closing: a gap strays from its ends by less than it
  // would move with its rates there, and a sliding velocity from three points by less than it moves from point to point.
  template <class Step>
  ARMATURE_CALLED int keep_near(const Step& step, double until, int guards) {
    // what is known of the beginning
    const double t0 = step.previous_t();
    if (!(search_.knows_beginning && search_.beginning == t0)) {
      take(3 * n_.contacts, engine_.contact_motion(t0, this->there(step, t0)), begin_);
      search_.knows_beginning = true, search_.beginning = t0, search_.previous_length = 0;
    }
    // gaps by their rates, sliding velocities by three ends of steps in a row that are about as far from each other
    const int n = n_.contacts;
    const bool steps_alike = search_.previous_length > 0 && until - t0 <= 2 * search_.previous_length;
    bool slides = false;
    guards = keep(guards, [&](const Guard& guard) {
      const double a = guard.at(begin_[guard.output]), c = guard.at(end_[guard.output]);
      if (guard.output >= n) {
        const bool on = steps_alike && stay_positive(guard.at(previous_[guard.output]), a, c);
        slides = slides || !on;
        return !on;
      }
      const double rates = absolute(begin_[2 * n + guard.output]) + absolute(end_[2 * n + guard.output]);
      return !(smaller(a, c) > 2 * absolute(c - a) + (until - t0) * rates);
    });
    if (!slides) return guards;
    // sliding velocities by the middle of the step
    const double half = 0.5 * (t0 + until), *middle = engine_.contact_gaps(half, this->there(step, half));
    return keep(guards, [&](const Guard& guard) {
      return guard.output < n || !stay_positive(guard.at(begin_[guard.output]), guard.at(middle[guard.output]),
                                                guard.at(end_[guard.output]));
    });
  }
  // Moves some guards to the front.
  template <class Near>
  ARMATURE_STEP int keep(int count, const Near& near) {
    int kept = 0;
    for (int k = 0; k < count; ++k) {
      if (!near(guards_[k])) continue;
      const Guard guard = guards_[k];
      for (int j = k; j > kept; --j) guards_[j] = guards_[j - 1];
      guards_[kept++] = guard;
    }
    return kept;
  }

  template <class Step>
  ARMATURE_CALLED EventTime find_zero(const Step& step, double until) {
    // guards that may become zero
    const int put = put_guards(), all = keep_near(step, until, put);
    if (all == 0) return {};
    const double t0 = step.previous_t();
    const bool has_ranges = engine_.begin_ranges_of_gaps(step);
    const int count = zeros_.keep_open(has_ranges, t0, until, guards_, all);
    // the first part of the step at whose end one of them is
    const auto negative = [&](double t) {
      const double* values = t != until ? engine_.contact_gaps(t, this->there(step, t)) : end_;
      for (int k = 0; k < count; ++k)
        if (guards_[k].at(values[guards_[k].output]) < 0) return true;
      return false;
    };
    if (count > 0) {
      const StepPart part = zeros_.first(t0, until, guards_, count, negative);
      if (part.found) return {true, first_zero(step, part, count)};
      if (part.ended) return {true, part.from};  // the step ends where nothing changes
    }
    for (int k = 0; k < put; ++k)  // those that are far are not negative there
      if (guards_[k].at(end_[guards_[k].output]) < 0) return {true, until};
    return {};
  }

  template <class Step>
  ARMATURE_CALLED double first_zero(const Step& step, const StepPart& part, int guards) {
    double earliest = part.to;
    for (int k = 0; k < guards; ++k) {
      Guard guard = guards_[k];
      const auto value = [&](double t) {
        return guard.at(engine_.contact_gaps(t, this->there(step, t))[guard.output]);
      };
      const SearchPoint from{part.from, value(part.from)}, to{part.to, value(part.to)};
      if (!(to.value < 0)) continue;
      double t = time_behind_zero(value, from, to);
      // one that was clearly on its side halfway is there without slack
      if (const double half = 0.5 * (step.previous_t() + t); guard.offset > 0 && value(half) > 3 * guard.offset) {
        guard.offset = 0;
        t = time_behind_zero(value, {half, value(half)}, {t, value(t)});
      }
      earliest = smaller(earliest, t);
    }
    return earliest;
  }

  // ---- the end of the step

  ARMATURE_STEP bool has_drifted() const {
    for (int i = 0; i < n_.contacts; ++i)
      if (this->closed(i, d_) && absolute(end_[i]) > contacts_[i].gap) return true;
    return false;
  }
  ARMATURE_STEP void note_end() {
    for (int i = 0; i < n_.contacts; ++i) {
      Contact& contact = contacts_[i];
      if (!this->closed(i, d_) ? end_[i] > contact.gap
                               : this->slides(i, d_) && absolute(end_[n_.contacts + i]) > contact.sliding)
        contact.armed = true;
    }
  }
  // The step ends without a change.
  template <class Step>
  ARMATURE_STEP void begin_next(const Step& step) {
    const bool known = search_.knows_beginning && search_.beginning == step.previous_t();
    search_.previous_length = known ? step.t() - step.previous_t() : 0;
    take(3 * n_.contacts, begin_, previous_);
    take(3 * n_.contacts, end_, begin_);
    search_.knows_beginning = true, search_.beginning = step.t();
  }

  ZeroCrossings<typename Engine::GapRanges> zeros_;
  Guard* guards_;
  double *begin_, *previous_;  // where the step begins, and the step before: as end_
};

}  // namespace armature::step
