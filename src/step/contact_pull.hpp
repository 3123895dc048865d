// When the force of a closed contact ceases to push, or to stick: |T| = mu N. Forces, for which ranges are too wide, are sampled along the
// step. And whether contacts that slide, and share their load in many ways, still do in one direction.
#pragma once

#include "step/contact_modes.hpp"

namespace armature::step {

namespace contact {
inline constexpr int steps_between_looks = 8;  // whether contacts that slide still do in one direction
}  // namespace contact

template <class Engine>
class ContactPull : public ContactModes<Engine> {
  using Base = ContactModes<Engine>;

 public:
  using Base::Base;

 protected:
  using Base::contacts_;
  using Base::d_;
  using Base::engine_;
  using Base::n_;
  using Base::search_;
  using Base::t_;
  using Base::x_;
  using typename Base::List;

  // The state in the step. Its end is what the integrator has put on the constraints, which dense output meets but for round-off.
  template <class Step>
  ARMATURE_STEP static const double* there(const Step& step, double t) {
    return t == step.t() ? step.x() : step.at(t);
  }
  ARMATURE_STEP static void take(int count, const double* from, double* to) {
    for (int i = 0; i < count; ++i) to[i] = from[i];
  }

  // A force that ceases to push or to stick. Forces take a solve at every point but the end of a step, where the integrator has had one.
  template <class Step>
  ARMATURE_CALLED EventTime find_pull(const Step& step, double until) {
    const double t0 = step.previous_t(), t1 = step.t();
    MarginWalk& walk = search_.walk;
    if (until == t1)
      if (const double* forces = engine_.known_forces(t1); forces && walk.passes(t0, t1, least_margin(forces)))
        return {};
    bool knows_end = false;
    double end = 0;
    const auto margin = [&](double t) {
      const double value = force_margin(t, this->there(step, t));
      if (t == t1) knows_end = true, end = value;
      return value;
    };
    const EventTime pull = walk.find(t0, t1, until, {}, margin);
    knows_end ? walk.take_end(end) : walk.forget();
    return pull;
  }

  // Directions of sliding turn between events: those that were parallel need not stay so.
  template <class Step>
  ARMATURE_STEP void look_at_sliding(const Step& step) {
    if (!search_.is_open && this->is_soft() && search_.steps_sliding++ % contact::steps_between_looks == 0)
      look_at_directions(step);
  }

  // The same of closed contacts, for who looks at each: margins of step/contact_search.hpp.
  ARMATURE_CALLED void look_at_forces(double t, const double* x, double* margins) {
    const double* forces = engine_.contact_forces(t, x);
    const double least = least_margin(forces);
    for (int i = 0; i < n_.contacts; ++i) {
      if (!this->closed(i, d_)) continue;
      margins[2 * i] = forces[i];
      if (this->sticks(i, d_)) margins[2 * i + 1] = forces[n_.contacts + i];
    }
    if (!(least < 0 && this->is_soft() && modes_hold(t, x))) return;
    for (int i = 0; i < n_.contacts; ++i)
      if (this->closed(i, d_)) margins[2 * i] = margins[2 * i + 1] = 1;
  }

 private:
  ARMATURE_CALLED double force_margin(double t, const double* x) {
    const double least = least_margin(engine_.contact_forces(t, x));
    return least < 0 && this->is_soft() && modes_hold(t, x) ? 1 : least;
  }
  // The least of closed contacts, over their largest forces. forces: N of each, then mu N - |T|.
  ARMATURE_STEP double least_margin(const double* forces) {
    double least = infinity;
    for (int i = 0; i < n_.contacts; ++i) {
      if (!this->closed(i, d_)) continue;
      Contact& contact = contacts_[i];
      contact.force = larger(contact.force, absolute(forces[i]));
      const double scale = contact.force > 0 ? contact.force : 1;
      least = smaller(least, forces[i] / scale);
      if (this->sticks(i, d_)) least = smaller(least, forces[n_.contacts + i] / scale);
    }
    return least;
  }

  // Of contacts that share their load in many ways the smallest forces may leave a cone of friction, or pull, where others give the same
  // motion within all cones: an edge that sticks at both its ends.
  ARMATURE_CALLED bool modes_hold(double t, const double* x) {
    take(n_.nd, d_, this->d_kept_);
    take(n_.nx, x, this->x_there_);
    t_ = t, x_ = this->x_there_;
    const List pushing = this->closed_contacts();
    const bool found = this->evaluate() && this->solve_forces(pushing);
    take(n_.nd, this->d_kept_, d_);
    engine_.take_discrete();
    for (int k = 0; k < pushing.count && found; ++k) {
      const int i = pushing.at[k];
      const ContactState state = this->found_[k].state;
      if (state == ContactState::open || (this->is_rough(i) && (state == ContactState::stick) != this->sticks(i, d_)))
        return false;
    }
    return found;
  }

  template <class Step>
  ARMATURE_CALLED void look_at_directions(const Step& step) {
    take(n_.nx, this->there(step, step.previous_t()), this->x_there_);
    t_ = step.previous_t(), x_ = this->x_there_;
    const List pushing = this->closed_contacts();
    bool any_slides = false;
    for (int k = 0; k < pushing.count; ++k) any_slides = any_slides || this->slides(pushing.at[k], d_);
    if (!any_slides || !this->evaluate()) return;
    const ContactProblem& problem = this->pose(pushing);
    ContactMode* modes = this->found_;
    for (int k = 0; k < pushing.count; ++k) {
      const int i = pushing.at[k];
      const bool in_space = problem.in_space(k);
      modes[k] = {ContactState::stick, {}};
      if (!this->slides(i, d_)) continue;
      modes[k].state = in_space || this->direction(i) > 0 ? ContactState::slip_forwards : ContactState::slip_backwards;
      if (in_space) modes[k].along = this->sliding_direction(i);
    }
    this->solver_.problem().scale();
    if (!this->freedom_.leaves_open(modes)) return;
    search_.is_open = true;
    engine_.motion_open(pushing, false);
  }
};

}  // namespace armature::step
