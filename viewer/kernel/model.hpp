// The model of a page: what its tables say (step/page_table.hpp), and its kernels, which are functions of the module that Armature has
// written, by their slots in the table of functions.
#pragma once

#include "step/comparison.hpp"
#include "step/configuration.hpp"
#include "step/page_table.hpp"
#include "step/projection.hpp"

namespace armature::step {

// The outputs of a kernel, those that it has.
struct PageOutputs {
  const Row<1>*vdot, *lambda, *qdot, *zdot, *dq, *dv, *d_position_error, *d_velocity_error, *position_error,
      *velocity_error;
  const Row<1>*work, *phi, *phidot, *mass_pivots, *pivots, *scales;
};

inline constexpr int places_of_kernel = page_outputs_with_places;

// The lists of both arrays.
struct PageTables {
  const int* integers;
  const double* numbers;
  const int *slots, *places, *clock_of, *kinds, *root_entries, *received, *lost, *frame_inputs;
  const Configuration::Pair *plain, *quaternions;
  const double *x, *d, *w, *p, *atol, *per_row, *per_position, *per_velocity, *clocks, *breakaway;

  PageTables(const int* i, const double* n) : integers(i), numbers(n) {
    const auto take = [&i](long count) {
      const int* list = i;
      i += count;
      return list;
    };
    take(page_integers);
    slots = take(page_kernels);
    places = take(long{page_kernels_with_places} * places_of_kernel);
    plain = reinterpret_cast<const Configuration::Pair*>(take(2L * (*this)[page_plain]));
    quaternions = reinterpret_cast<const Configuration::Pair*>(take(2L * (*this)[page_quaternions]));
    clock_of = take((*this)[page_nd]), kinds = take((*this)[page_nw]);
    root_entries = take((*this)[page_root_entries]);
    received = take((*this)[page_received]), lost = take((*this)[page_lost]);
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
  bool has(PageKernel kernel) const { return slots[kernel] >= 0; }
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
    return tables[page_inputs] + tables[page_outputs] + 2L * tables[page_nw] + 2 + tables[page_lookups];
  }
  PageModel(const PageTables& tables, Row<1>* memory)
      : t_(tables),
        in_(memory),
        out_(memory + tables[page_inputs]),
        roots_(out_ + tables[page_outputs]),
        rates_(roots_ + tables[page_nw]),
        energy_(rates_ + tables[page_nw]),
        next_stop_(energy_ + 1) {
    hold(tables.d);
    set_outcomes(tables.w);
    take_parameters();
    if (!t_[page_pulled]) return;
    in_[t_[page_alpha]][0] = t_[page_alpha_gain], in_[t_[page_beta]][0] = t_[page_beta_gain];
  }

  void set(const Row<1>& t, const Row<1>* x) {
    in_[0] = t;
    for (int i = 0; i < t_.nx(); ++i) in_[1 + i] = x[i];
  }
  void hold(const double* d) {
    for (int i = 0; i < t_[page_nd]; ++i) in_[1 + t_.nx() + i][0] = d[i];
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

  PageOutputs acceleration() {
    take_outcomes();
    return outputs(page_acceleration);
  }
  PageOutputs acceleration_baumgarte() { return acceleration(); }  // a model has one of them
  PageOutputs correct_position() { return outputs(page_correct_position); }
  PageOutputs correct_velocity() { return outputs(page_correct_velocity); }
  PageOutputs correct_motion() { return outputs(page_correct_motion); }
  PageOutputs correct_velocity_and_errors(const Row<1>* position_error, const Row<1>* velocity_error) {
    set_errors(position_error, velocity_error);
    return outputs(page_correct_velocity_and_errors);
  }
  PageOutputs step_end(const Row<1>* position_error, const Row<1>* velocity_error, const Row<1>& weight) {
    set_errors(position_error, velocity_error);
    in_[t_[page_weight]] = weight;
    return outputs(page_step_end);
  }
  const Row<1>& energy() {
    run(page_energy, energy_);
    return *energy_;
  }
  const double* next_stop() { return run(page_next_stop, next_stop_)->lane; }  // and lookups behind it
  const Row<1>* discrete() { return run(page_discrete, out_); }
  const Row<1>* observables() { return run(page_observables, out_); }
  const Row<1>* reactions(const double* vdot, const double* lambda) {
    for (int i = 0; i < t_[page_nv]; ++i) in_[t_[page_vdot] + i][0] = vdot[i];
    for (int i = 0; i < t_[page_all_rows]; ++i) in_[t_[page_lambda] + i][0] = lambda[i];
    return run(page_reactions, out_);
  }
  void frame(double* in, double* out) const {
    for (int i = 0; i < t_[page_frame_inputs]; ++i) in[i] = in_[t_.frame_inputs[i]][0];
    call(page_frame, in, out);
  }

  // Of comparisons; what other kernels gave stays.
  Row<1>* weights() { return in_ + 1 + t_.nx() + t_[page_nd]; }
  const Row<1>* roots() { return run(page_roots, roots_); }
  const Row<1>* root_rates(const Row<1>* vdot) {
    for (int i = 0; i < t_[page_nv]; ++i) in_[t_[page_vdot] + i] = vdot[i];
    return run(page_root_rates, rates_);
  }

 private:
  void call(PageKernel kernel, const double* in, double* out) const {
    reinterpret_cast<void (*)(const double*, double*)>(static_cast<__UINTPTR_TYPE__>(t_.slots[kernel]))(in, out);
  }
  Row<1>* run(PageKernel kernel, Row<1>* out) {
    call(kernel, in_->lane, out->lane);
    return out;
  }
  PageOutputs outputs(PageKernel kernel) {
    run(kernel, out_);
    const int* at = t_.places + int{kernel} * places_of_kernel;
    const auto place = [&](PageOutput output) { return at[output] < 0 ? nullptr : out_ + at[output]; };
    return {place(page_out_vdot),
            place(page_out_lambda),
            place(page_out_qdot),
            place(page_out_zdot),
            place(page_out_dq),
            place(page_out_dv),
            place(page_out_d_position_error),
            place(page_out_d_velocity_error),
            place(page_out_position_error),
            place(page_out_velocity_error),
            place(page_out_work),
            place(page_out_phi),
            place(page_out_phidot),
            place(page_out_mass_pivots),
            place(page_out_pivots),
            place(page_out_scales)};
  }
  void set_errors(const Row<1>* position_error, const Row<1>* velocity_error) {
    for (int i = 0; i < t_[page_nv]; ++i) {
      in_[t_[page_position_error] + i] = position_error[i];
      in_[t_[page_velocity_error] + i] = velocity_error[i];
    }
  }

  const PageTables& t_;
  Row<1>*in_, *out_, *roots_, *rates_, *energy_, *next_stop_;
};

}  // namespace armature::step
