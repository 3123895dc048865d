// The model of a page: what its tables say (step/page_table.hpp), and its kernels, which are functions of the module that Armature has
// written, by their slots in the table of functions.
#pragma once

#include "step/comparison.hpp"
#include "step/configuration.hpp"
#include "step/page_table.hpp"
#include "step/projection.hpp"

namespace armature::step {

// The lists of both arrays.
struct PageTables {
  const int* integers;
  const double* numbers;
  const int *slots, *clock_of, *kinds, *root_entries, *received, *lost, *contact_places, *frame_inputs;
  const Configuration::Pair *plain, *quaternions;
  const double *x, *d, *w, *p, *atol, *per_row, *per_position, *per_velocity, *clocks, *breakaway;

  PageTables(const int* i, const double* n) : integers(i), numbers(n) {
    const auto take = [&i](long count) {
      const int* list = i;
      i += count;
      return list;
    };
    take(page_integers);
    slots = take(page_slots);
    plain = reinterpret_cast<const Configuration::Pair*>(take(2L * (*this)[page_plain]));
    quaternions = reinterpret_cast<const Configuration::Pair*>(take(2L * (*this)[page_quaternions]));
    clock_of = take((*this)[page_nd]), kinds = take((*this)[page_nw]);
    root_entries = take((*this)[page_root_entries]);
    received = take((*this)[page_received]), lost = take((*this)[page_lost]);
    contact_places = take(long{page_contact_places} * (*this)[page_contacts]);
    frame_inputs = take((*this)[page_frame_inputs]);
    const auto take_numbers = [&n](long count) {
      const double* list = n;
      n += count;
      return list;
    };
    take_numbers(page_numbers);
    x = take_numbers(nx()), d = take_numbers((*this)[page_nd]), w = take_numbers((*this)[page_nw]);
    p = take_numbers((*this)[page_np]), atol = take_numbers(nx());
    per_row = take_numbers((*this)[page_rows]), per_position = take_numbers((*this)[page_nq]);
    per_velocity = take_numbers((*this)[page_nv]), clocks = take_numbers(2L * (*this)[page_clocks]);
    breakaway = take_numbers((*this)[page_nw]);
  }
  int operator[](PageInteger entry) const { return integers[entry]; }
  double operator[](PageNumber entry) const { return numbers[entry]; }
  int nx() const { return (*this)[page_nq] + (*this)[page_nv] + (*this)[page_nz]; }
  bool has(Kernel kernel) const { return slots[static_cast<int>(kernel)] >= 0; }
  bool has_frame() const { return slots[page_frame] >= 0; }
  int inputs() const {
    return 1 + nx() + (*this)[page_nd] + (*this)[page_nw] + (*this)[page_np];
  }  // that all kernels have
  // Of Extent.
  int operator()(Extent extent) const {
    switch (extent) {
      case Extent::one: return 1;
      case Extent::nq: return (*this)[page_nq];
      case Extent::nv: return (*this)[page_nv];
      case Extent::nz: return (*this)[page_nz];
      case Extent::nd: return (*this)[page_nd];
      case Extent::nw: return (*this)[page_nw];
      case Extent::m: return (*this)[page_all_rows];
      case Extent::rows: return (*this)[page_rows];
      case Extent::quantities: return (*this)[page_quantities];
      case Extent::events: return (*this)[page_events];
      case Extent::lookups: return (*this)[page_lookups];
      case Extent::wrenches: return (*this)[page_wrenches];
      case Extent::contacts: return (*this)[page_contacts];
      case Extent::contact_rows: return (*this)[page_contacts] * (*this)[page_nv];
    }
    return 0;
  }
  bool projects() const { return (*this)[page_projects] == 1; }
  bool corrects_rows() const { return (*this)[page_projects] > 0; }
  bool controlled() const { return (*this)[page_method] >= page_dormand_prince_54; }
  Configuration configuration() const {
    return {(*this)[page_nq], (*this)[page_nv], (*this)[page_plain], (*this)[page_quaternions], plain, quaternions};
  }
};

// Model of Motion (step/motion.hpp). Outcomes of comparisons are held where the error is controlled; else they are as they are at every state.
class PageModel {
 public:
  static long memory(const PageTables& tables) {
    int places[input_kinds];
    return place_inputs(tables.inputs(), tables, places) + outputs(tables) + 2L * tables[page_nw] + 2 +
           tables[page_lookups];
  }
  PageModel(const PageTables& tables, Row<1>* memory) : t_(tables), in_(memory) {
    out_ = in_ + place_inputs(t_.inputs(), t_, inputs_);
    roots_ = out_ + outputs(t_);
    rates_ = roots_ + t_[page_nw];
    energy_ = rates_ + t_[page_nw];
    next_stop_ = energy_ + 1;
    for (int k = 0; k < kernel_count; ++k) {
      int places[output_kinds];
      place_outputs(static_cast<Kernel>(k), t_, places);
      find_outputs(static_cast<Kernel>(k), out_, places, outputs_[k]);
    }
    hold(tables.d);
    set_outcomes(tables.w);
    take_parameters();
    if (!t_[page_pulled]) return;
    input(Input::alpha)[0][0] = t_[page_alpha_gain], input(Input::beta)[0][0] = t_[page_beta_gain];
  }

  void set(const Row<1>& t, const Row<1>* x) {
    in_[0] = t;
    for (int i = 0; i < t_.nx(); ++i) in_[1 + i] = x[i];
  }
  void hold(const double* d) {
    for (int i = 0; i < t_[page_nd]; ++i) in_[1 + t_.nx() + i][0] = d[i];
    closed_ = false, sticks_ = t_[page_contacts] > 0 && d[t_[page_contact_softness]] != 0;
    for (int i = 0; i < t_[page_contacts]; ++i) {
      const int *at = t_.contact_places + i * page_contact_places, sticks = at[1];
      closed_ = closed_ || d[at[0]] != 0;
      sticks_ = sticks_ || (sticks >= 0 && d[sticks] != 0);
    }
  }
  void take_parameters() {
    for (int i = 0; i < t_[page_np]; ++i) in_[1 + t_.nx() + t_[page_nd] + t_[page_nw] + i][0] = t_.p[i];
  }
  void set_outcomes(const double* w) {
    for (int i = 0; i < t_[page_nw]; ++i) weights()[i][0] = w[i];
  }
  // The outcomes of comparisons at the state that is set, where they are not held: as often as they are nested.
  void take_outcomes() {
    for (int pass = 0; pass < t_[page_nesting] && !t_.controlled(); ++pass) {
      roots();
      for (int i = 0; i < t_[page_nw]; ++i)
        weights()[i][0] = outcome_of(static_cast<ComparisonKind>(t_.kinds[i]), roots_[i][0]);
    }
  }

  // With Baumgarte's terms where the model is pulled by them; else the one with fewest operations that holds, as a run takes it.
  const KernelOutputs<1>& acceleration() {
    take_outcomes();
    if (t_.has(Kernel::acceleration_open) && !closed_) return run(Kernel::acceleration_open);
    if (t_.has(Kernel::acceleration_sliding) && closed_ && !sticks_) return run(Kernel::acceleration_sliding);
    return run(t_[page_pulled] ? Kernel::acceleration_baumgarte : Kernel::acceleration);
  }
  const KernelOutputs<1>& acceleration_baumgarte() { return acceleration(); }
  const KernelOutputs<1>& correct_position() { return run(Kernel::correct_position); }
  const KernelOutputs<1>& correct_velocity() { return run(Kernel::correct_velocity); }
  const KernelOutputs<1>& correct_motion() { return run(Kernel::correct_motion); }
  const KernelOutputs<1>& correct_velocity_and_errors(const Row<1>* position_error, const Row<1>* velocity_error) {
    set_errors(position_error, velocity_error);
    return run(Kernel::correct_velocity_and_errors);
  }
  const KernelOutputs<1>& step_end(const Row<1>* position_error, const Row<1>* velocity_error, const Row<1>& weight) {
    set_errors(position_error, velocity_error);
    *input(Input::weight) = weight;
    return run(Kernel::step_end);
  }
  const Row<1>& energy() {
    run(Kernel::energy, energy_);
    return *energy_;
  }
  const KernelOutputs<1>& contact_gaps() { return run(Kernel::contact_gaps); }
  const KernelOutputs<1>& contact_motion() { return run(Kernel::contact_motion); }
  const KernelOutputs<1>& contact_rows() { return run(Kernel::contact_rows); }
  const KernelOutputs<1>& contact_response() { return run(Kernel::contact_response); }
  const double* next_stop() { return run(Kernel::next_stop, next_stop_)->lane; }  // and lookups behind it
  const Row<1>* discrete() { return run(Kernel::discrete).discrete; }
  const Row<1>* observables() { return run(Kernel::observables).quantities; }  // and energies behind them
  const Row<1>* reactions(const double* vdot, const double* lambda) {
    for (int i = 0; i < t_[page_nv]; ++i) input(Input::vdot)[i][0] = vdot[i];
    for (int i = 0; i < t_[page_all_rows]; ++i) input(Input::lambda)[i][0] = lambda[i];
    return run(Kernel::reactions).wrenches;
  }
  void frame(double* in, double* out) const {
    for (int i = 0; i < t_[page_frame_inputs]; ++i) in[i] = in_[t_.frame_inputs[i]][0];
    call(page_frame, in, out);
  }

  // Of comparisons; what other kernels gave stays.
  Row<1>* weights() { return in_ + 1 + t_.nx() + t_[page_nd]; }
  const Row<1>* roots() { return run(Kernel::roots, roots_); }
  const Row<1>* root_rates(const Row<1>* vdot) {
    for (int i = 0; i < t_[page_nv]; ++i) input(Input::vdot)[i] = vdot[i];
    return run(Kernel::root_rates, rates_);
  }

 private:
  static long outputs(const PageTables& tables) {  // of the kernel that has most
    long most = 1;
    for (int k = 0; k < kernel_count; ++k) {
      int places[output_kinds];
      const int count = place_outputs(static_cast<Kernel>(k), tables, places);
      if (tables.has(static_cast<Kernel>(k)) && count > most) most = count;
    }
    return most;
  }
  Row<1>* input(Input input) { return in_ + inputs_[static_cast<int>(input)]; }
  void call(int slot, const double* in, double* out) const {
    reinterpret_cast<void (*)(const double*, double*)>(static_cast<__UINTPTR_TYPE__>(t_.slots[slot]))(in, out);
  }
  Row<1>* run(Kernel kernel, Row<1>* out) {
    call(static_cast<int>(kernel), in_->lane, out->lane);
    return out;
  }
  const KernelOutputs<1>& run(Kernel kernel) {
    run(kernel, out_);
    return outputs_[static_cast<int>(kernel)];
  }
  void set_errors(const Row<1>* position_error, const Row<1>* velocity_error) {
    for (int i = 0; i < t_[page_nv]; ++i) {
      input(Input::position_error)[i] = position_error[i];
      input(Input::velocity_error)[i] = velocity_error[i];
    }
  }

  const PageTables& t_;
  Row<1>*in_, *out_, *roots_, *rates_, *energy_, *next_stop_;
  int inputs_[input_kinds];
  bool closed_ = false, sticks_ = false;    // some contact is, or forces are undetermined
  KernelOutputs<1> outputs_[kernel_count];  // in out_
};

}  // namespace armature::step
