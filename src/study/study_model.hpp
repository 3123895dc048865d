// One state of a motion of a map or a sweep (study_motion.hpp): its model, and f with the return to the constraints.
#pragma once

#include "step/called.hpp"
#include "step/comparison_changes.hpp"
#include "step/compiled_contacts.hpp"
#include "step/compiled_motion.hpp"
#include "step/embedded.hpp"
#include "step/fixed_step.hpp"
#include "step/motion.hpp"

namespace armature::step {

// What a motion knows of its comparisons from step to step.
template <int count>
struct StudyComparisons {
  double w[count];
  ComparisonStatus status[count];
  Comparison comparisons[count];
  SearchMemory search;
};
template <>
struct StudyComparisons<0> {};

// And of its rigid contacts.
template <int count>
struct StudyContactState {
  Contact contacts[count];
  ContactSearchMemory search;
  double kept[6 * count], forces[2 * count], forces_t;
  double length;  // of the machine, m
};
template <>
struct StudyContactState<0> {};

// What a motion keeps from step to step.
template <class Plant>
struct StudyState {
  double t, x[Plant::nx + 1], f[Plant::nx + 1], d[Plant::nd + 1], p[Plant::np + 1];
  double atol[Plant::nx + 1], per_row[Plant::rows + 1], per_position[Plant::nq + 1], per_velocity[Plant::nv + 1];
  bool knows_f;    // f is that at (t, x): a step was taken, and nothing has changed since
  bool has_begun;  // the step control knows a length
  StepControl control;
  StepGrid grid;
  SampleClock clocks[Plant::clock_count + 1];
  StopMemory stops;
  StudyComparisons<Plant::nw> events;
  StudyContactState<Plant::contacts> contacts;
};

// Model of Motion.
template <class Plant>
class StudyModel {
 public:
  ARMATURE_STEP StudyModel(const StudyState<Plant>& s, double alpha, double beta) {
    set(s.t, s.x);
    hold(s.d);
    if constexpr (Plant::nw > 0) set_outcomes(s.events.w);
    for (int i = 0; i < Plant::np; ++i) in_[Plant::p + i][0] = s.p[i];
    if (Plant::pulled) in_[Plant::input_alpha][0] = alpha, in_[Plant::input_alpha + 1][0] = beta;
  }
  ARMATURE_STEP const double* inputs() const { return in_->lane; }
  ARMATURE_STEP void set(const Row<1>& t, const Row<1>* x) { set(t[0], x->lane); }
  ARMATURE_STEP void set(double t, const double* x) {
    in_[0][0] = t;
    for (int i = 0; i < Plant::nx; ++i) in_[1 + i][0] = x[i];
  }
  ARMATURE_STEP void hold(const double* d) {
    for (int i = 0; i < Plant::nd; ++i) in_[Plant::d + i][0] = d[i];
    if constexpr (Plant::contacts > 0) {
      closed_ = false, sticks_ = d[Plant::contact_softness] != 0;
      for (int i = 0; i < Plant::contacts; ++i) {
        const ContactPlaces& at = Plant::contact_places[i];
        closed_ = closed_ || d[at.closed] != 0;
        sticks_ = sticks_ || (at.has_friction() && d[at.sticks] != 0);
      }
    }
  }
  // The one with fewest operations that holds, as a run takes it.
  ARMATURE_STEP KernelOutputs<1> acceleration() {
    if constexpr (Plant::contacts > 0) {
      if (!closed_) return Plant::acceleration_open(inputs(), out_);
      if (Plant::has_friction && !sticks_) return Plant::acceleration_sliding(inputs(), out_);
    }
    return Plant::acceleration(inputs(), out_);
  }
  ARMATURE_STEP KernelOutputs<1> acceleration_baumgarte() { return Plant::acceleration_baumgarte(inputs(), out_); }
  ARMATURE_STEP KernelOutputs<1> correct_motion() { return Plant::correct_motion(inputs(), out_); }
  ARMATURE_STEP KernelOutputs<1> correct_position() { return Plant::correct_position(inputs(), out_); }
  ARMATURE_STEP KernelOutputs<1> correct_velocity() { return Plant::correct_velocity(inputs(), out_); }
  ARMATURE_STEP KernelOutputs<1> correct_velocity_and_errors(const Row<1>* position_error,
                                                             const Row<1>* velocity_error) {
    set_errors(position_error, velocity_error);
    return Plant::correct_velocity_and_errors(inputs(), out_);
  }
  ARMATURE_STEP KernelOutputs<1> step_end(const Row<1>* position_error, const Row<1>* velocity_error,
                                          const Row<1>& weight) {
    set_errors(position_error, velocity_error);
    in_[Plant::input_weight] = weight;
    return Plant::step_end(inputs(), out_);
  }
  ARMATURE_STEP void take_outcomes() {}  // they are held
  ARMATURE_STEP const Row<1>* discrete() { return Plant::discrete(inputs(), out_).discrete; }
  ARMATURE_STEP const Row<1>& energy() {  // the outputs of other kernels stay
    Plant::energy(inputs(), &energy_);
    return energy_;
  }
  ARMATURE_STEP KernelOutputs<1> contact_gaps() { return Plant::contact_gaps(inputs(), out_); }
  ARMATURE_STEP KernelOutputs<1> contact_motion() { return Plant::contact_motion(inputs(), out_); }
  ARMATURE_STEP KernelOutputs<1> contact_rows() { return Plant::contact_rows(inputs(), out_); }
  ARMATURE_STEP KernelOutputs<1> contact_response() { return Plant::contact_response(inputs(), out_); }
  ARMATURE_STEP const double* next_stop() {  // and lookups behind it; the same
    Plant::next_stop(inputs(), next_stop_);
    return next_stop_->lane;
  }

  // Comparisons: outcomes, or weights of those that slide. What other kernels gave stays.
  ARMATURE_STEP Row<1>* weights() { return in_ + Plant::w; }
  ARMATURE_STEP void set_outcomes(const double* w) {
    for (int k = 0; k < Plant::nw; ++k) in_[Plant::w + k][0] = w[k];
  }
  ARMATURE_STEP const Row<1>* roots() { return Plant::roots(inputs(), roots_).roots; }
  ARMATURE_STEP const Row<1>* root_rates(const Row<1>* vdot) {
    for (int i = 0; i < Plant::nv; ++i) in_[Plant::input_vdot + i] = vdot[i];
    return Plant::root_rates(inputs(), rates_).root_rates;
  }

 private:
  ARMATURE_STEP void set_errors(const Row<1>* position_error, const Row<1>* velocity_error) {
    for (int i = 0; i < Plant::nv; ++i) {
      in_[Plant::input_position_error + i] = position_error[i];
      in_[Plant::input_velocity_error + i] = velocity_error[i];
    }
  }

  bool closed_ = false, sticks_ = false;  // some contact is, or forces are undetermined
  Row<1> in_[Plant::inputs];
  Row<1> out_[Plant::outputs], energy_, next_stop_[Plant::lookups + 1], roots_[Plant::nw + 1], rates_[Plant::nw + 1];
};

// f with its return to the constraints: F of the steps, and Engine of Motion, to which everything special comes.
template <class Plant>
class StudyDynamics {
 public:
  ARMATURE_STEP StudyDynamics(StudyState<Plant>& s, const double* common)
      : s_(s), rate_(common[4]), model_(s, common[5], common[6]), motion_(model_, sizes(), memory_) {
    set_traits();
  }
  ARMATURE_STEP bool special() const { return special_; }  // something was
  ARMATURE_STEP void leave() { special_ = true; }
  ARMATURE_STEP StudyModel<Plant>& model() { return model_; }
  ARMATURE_STEP static constexpr int nx() { return Plant::nx; }
  ARMATURE_STEP static constexpr int nd() { return Plant::nd; }
  ARMATURE_STEP static constexpr int clock_count() { return Plant::clock_count; }
  ARMATURE_STEP static constexpr int clock_of(int i) { return Plant::clock_of[i]; }
  ARMATURE_STEP static constexpr int lookups() { return Plant::lookups; }
  ARMATURE_STEP static constexpr bool has_stops() { return Plant::has_stops; }
  ARMATURE_STEP static constexpr bool follows() { return Plant::follows; }

  // What is held has changed: discrete values and outcomes.
  ARMATURE_STEP void take_held() {
    model_.hold(s_.d);
    if constexpr (Plant::nw > 0) model_.set_outcomes(s_.events.w);
    set_traits();
  }

  ARMATURE_CALLED bool derivative(bool lanes, const Row<1>& t, const Row<1>* x, Row<1>* xdot) {
    const bool found = motion_.derivative(*this, lanes, t, x, xdot);
    if (found) note_forces(t[0]);
    return found;
  }
  ARMATURE_CALLED bool project(bool lanes, const Row<1>& t, Row<1>* x, Row<1>* error) {
    return motion_.project(*this, lanes, t, x, error);
  }
  ARMATURE_CALLED Finish<1> finish(bool lanes, const Row<1>& t, Row<1>* x, Row<1>* xdot, Row<1>* error,
                                   const Row<1>& weight) {
    const Finish<1> done = motion_.finish(*this, lanes, t, x, xdot, error, weight);
    if (done.any()) note_forces(t[0]);
    return done;
  }

  // With all weights as they are set.
  ARMATURE_STEP bool derivative_as_set(double t, const double* x, Row<1>* xdot) {
    set_traits(0, -1);
    const bool found = derivative(true, {{t}}, reinterpret_cast<const Row<1>*>(x), xdot);
    set_traits();
    return found;
  }

  ARMATURE_STEP bool derivative(int, double, const double*, double*) { return special_ = true, false; }
  ARMATURE_STEP bool project(int, double, double*, double*) { return special_ = true, false; }
  ARMATURE_STEP MachineSizes sizes(int, double, const double*) {
    return {s_.per_row, s_.per_position, s_.per_velocity};
  }
  ARMATURE_STEP void take_weight(int, int, double) {}  // it is in the model
  ARMATURE_STEP void hold(int) {}

 private:
  using Moving = Motion<1, StudyModel<Plant>>;
  ARMATURE_STEP static typename Moving::Sizes sizes() {
    typename Moving::Sizes sizes;
    sizes.nq = Plant::nq, sizes.nv = Plant::nv, sizes.nz = Plant::nz, sizes.rows = Plant::rows;
    sizes.work = Plant::work, sizes.counts_work = Plant::work >= 0;
    sizes.configuration = {Plant::nq,    Plant::nv,         Plant::plain_count, Plant::quaternion_count,
                           Plant::plain, Plant::quaternions};
    return sizes;
  }
  // As Dynamics::note_contact_forces(): they stand behind the rates.
  ARMATURE_STEP void note_forces(double t) {
    if constexpr (Plant::contacts > 0)
      if (motion_.plain(0) && motion_.was_regular(0))
        ContactForcesMemory{s_.contacts.forces, &s_.contacts.forces_t}.note(Plant::contacts, t,
                                                                            motion_.rates().zdot->lane + Plant::nz);
  }
  // As Dynamics::traits(). Where several comparisons slide, or one whose weight is not found by one division, the motion leaves.
  ARMATURE_STEP void set_traits() {
    int sliding = 0, one = -1;
    if constexpr (Plant::nw > 0)
      for (int k = 0; k < Plant::nw; ++k)
        if (s_.events.status[k] == ComparisonStatus::sliding) ++sliding, one = k;
    set_traits(sliding, one);
  }
  ARMATURE_STEP void set_traits(int sliding, int one) {
    LaneTraits traits;
    traits.plain = sliding == 0, traits.sliding = sliding == 1 && Plant::affine ? one : -1;
    traits.pulled = Plant::pulled, traits.projects = Plant::projects;
    traits.finishes = traits.plain && Plant::projects && !Plant::pulled;
    traits.rate = rate_;
    motion_.set(0, traits);
  }

  StudyState<Plant>& s_;
  double rate_;
  StudyModel<Plant> model_;
  // as Motion::memory(): 2 nv + nq + rows, 2 nx, 2 (nx + 1)
  Row<1> memory_[2 * Plant::nv + Plant::nq + Plant::rows + 4 * Plant::nx + 2];
  Moving motion_;
  bool special_ = false;
};

}  // namespace armature::step
