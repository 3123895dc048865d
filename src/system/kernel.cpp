#include "system/kernel.hpp"

#include <algorithm>

#include "expression/derivative.hpp"
#include "mechanics/equations.hpp"
#include "system/traced_outputs.hpp"

namespace armature::internal {

namespace {

using List = std::vector<Expression>;

List roots(const Equations& e, const Expression&) {
  List list;
  for (const Graph::Comparison& comparison : e.graph->comparisons()) list.push_back(comparison.root);
  return list;
}

// d(root)/dt = root_t + root_q qdot + root_v vdot + root_z zdot
List root_rates(const Equations& e, const Expression&) {
  LeafMap flow{{e.t.id(), 1.0}};
  for (std::size_t i = 0; i < e.q.size(); ++i) flow[e.q[i].id()] = e.qdot[i];
  for (std::size_t i = 0; i < e.v.size(); ++i) flow[e.v[i].id()] = e.a[i];
  for (std::size_t i = 0; i < e.z.size(); ++i) flow[e.z[i].id()] = e.zdot[i];
  Derivative along(flow);
  List list;
  for (const Expression& root : roots(e, {})) list.push_back(along(root));
  return list;
}

List discrete(const Equations& e, const Expression&) {
  List list;
  for (const Discrete& value : e.discrete) list.push_back(value.next);
  return list;
}

List events(const Equations& e, const Expression&) {
  List list;
  for (const EventFunction& event : e.events) list.push_back(event.value);
  return list;
}

List observables(const Equations& e, const Expression& kinetic) {
  List list;
  for (const Quantity& quantity : e.quantities) list.push_back(quantity.value);
  for (const Expression& energy : {kinetic, e.potential, e.elastic, e.magnetic}) list.push_back(energy);
  return list;
}

List energy(const Equations& e, const Expression& kinetic) { return {kinetic + e.potential + e.magnetic}; }

List reactions(const Equations& e, const Expression&) {
  List list;
  for (const Reaction& reaction : e.reactions) list.insert(list.end(), reaction.wrench.begin(), reaction.wrench.end());
  return list;
}

std::array<KernelEntry, kernel_count> make_table() {
  using enum Output;
  using T = TracedOutputs;
  using I = Input;
  constexpr auto stepping = KernelEntry::Use::stepping, recording = KernelEntry::Use::recording;
  return {{
      {.kernel = Kernel::acceleration,
       .name = "acceleration",
       .outputs = {vdot, lambda, qdot, zdot, mass_pivots, pivots, scales},
       .inputs = {},
       .use = stepping,
       .traced = &T::acceleration},
      {.kernel = Kernel::acceleration_baumgarte,
       .name = "acceleration_baumgarte",
       .outputs = {vdot, lambda, qdot, zdot, mass_pivots, pivots, scales},
       .inputs = {I::alpha, I::beta},
       .use = stepping,
       .traced = &T::acceleration_baumgarte},
      {.kernel = Kernel::correct_position,
       .name = "correct_position",
       .outputs = {dq, phi, mass_pivots, pivots, scales},
       .inputs = {},
       .use = stepping,
       .traced = &T::correct_position},
      {.kernel = Kernel::correct_velocity,
       .name = "correct_velocity",
       .outputs = {dv, phidot, mass_pivots, pivots, scales},
       .inputs = {},
       .use = stepping,
       .traced = &T::correct_velocity},
      {.kernel = Kernel::correct_velocity_and_errors,
       .name = "correct_velocity_and_errors",
       .outputs = {dv, d_position_error, d_velocity_error, phidot, mass_pivots, pivots, scales},
       .inputs = {I::position_error, I::velocity_error},
       .use = stepping,
       .traced = &T::correct_velocity_and_errors},
      {.kernel = Kernel::correct_motion,
       .name = "correct_motion",
       .outputs = {dq, dv, work, phi, phidot, mass_pivots, pivots, scales},
       .inputs = {},
       .use = stepping,
       .traced = &T::correct_motion},
      {.kernel = Kernel::step_end,
       .name = "step_end",
       .outputs = {vdot, lambda, qdot, zdot, dq, dv, position_error, velocity_error, work, phi, phidot, mass_pivots,
                   pivots, scales},
       .inputs = {I::position_error, I::velocity_error, I::weight},
       .use = stepping,
       .traced = &T::step_end,
       .packed = true},
      {.kernel = Kernel::roots,
       .name = "roots",
       .outputs = {Output::roots},
       .inputs = {},
       .use = stepping,
       .expressions = &armature::internal::roots},
      {.kernel = Kernel::root_rates,
       .name = "root_rates",
       .outputs = {Output::root_rates},
       .inputs = {I::vdot},
       .use = stepping,
       .expressions = &armature::internal::root_rates},
      {.kernel = Kernel::discrete,
       .name = "discrete",
       .outputs = {Output::discrete},
       .inputs = {},
       .use = stepping,
       .expressions = &armature::internal::discrete},
      {.kernel = Kernel::events,
       .name = "events",
       .outputs = {Output::events},
       .inputs = {},
       .use = stepping,
       .expressions = &armature::internal::events},
      {.kernel = Kernel::observables,
       .name = "observables",
       .outputs = {quantities, kinetic, potential, elastic, magnetic},
       .inputs = {},
       .use = recording,
       .expressions = &armature::internal::observables},
      {.kernel = Kernel::energy,
       .name = "energy",
       .outputs = {Output::energy},
       .inputs = {},
       .use = stepping,
       .expressions = &armature::internal::energy},
      {.kernel = Kernel::reactions,
       .name = "reactions",
       .outputs = {wrenches},
       .inputs = {I::vdot, I::lambda},
       .use = recording,
       .expressions = &armature::internal::reactions},
  }};
}

template <class Kind>
struct Named {
  Kind kind;
  const char* name;
  Extent extent;
};

constexpr std::array<Named<Output>, output_kinds> output_names = {{
    {Output::vdot, "vdot", Extent::nv},
    {Output::lambda, "lambda", Extent::rows},
    {Output::qdot, "qdot", Extent::nq},
    {Output::zdot, "zdot", Extent::nz},
    {Output::dq, "dq", Extent::nv},
    {Output::dv, "dv", Extent::nv},
    {Output::d_position_error, "d_position_error", Extent::nv},
    {Output::d_velocity_error, "d_velocity_error", Extent::nv},
    {Output::position_error, "position_error", Extent::nv},
    {Output::velocity_error, "velocity_error", Extent::nv},
    {Output::work, "work", Extent::one},
    {Output::phi, "phi", Extent::rows},
    {Output::phidot, "phidot", Extent::rows},
    {Output::mass_pivots, "mass_pivots", Extent::nv},
    {Output::pivots, "pivots", Extent::rows},
    {Output::scales, "scales", Extent::rows},
    {Output::roots, "roots", Extent::nw},
    {Output::root_rates, "root_rates", Extent::nw},
    {Output::discrete, "discrete", Extent::nd},
    {Output::events, "events", Extent::events},
    {Output::quantities, "quantities", Extent::quantities},
    {Output::kinetic, "kinetic", Extent::one},
    {Output::potential, "potential", Extent::one},
    {Output::elastic, "elastic", Extent::one},
    {Output::magnetic, "magnetic", Extent::one},
    {Output::energy, "energy", Extent::one},
    {Output::wrenches, "wrenches", Extent::wrenches},
}};

constexpr std::array<Named<Input>, input_kinds> input_names = {{
    {Input::alpha, "alpha", Extent::one},
    {Input::beta, "beta", Extent::one},
    {Input::position_error, "position_error", Extent::nv},
    {Input::velocity_error, "velocity_error", Extent::nv},
    {Input::weight, "weight", Extent::one},
    {Input::vdot, "vdot", Extent::nv},
    {Input::lambda, "lambda", Extent::m},
}};

template <class List>
constexpr bool is_in_order(const List& list) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (static_cast<std::size_t>(list[i].kind) != i) return false;
  return true;
}
static_assert(is_in_order(output_names) && is_in_order(input_names));

}  // namespace

const std::array<KernelEntry, kernel_count>& kernel_table() {
  static const std::array<KernelEntry, kernel_count> table = make_table();
  return table;
}

const KernelEntry& entry_of(Kernel kernel) { return kernel_table()[static_cast<std::size_t>(kernel)]; }
const char* name_of(Output output) { return output_names[static_cast<std::size_t>(output)].name; }
const char* name_of(Input input) { return input_names[static_cast<std::size_t>(input)].name; }
Extent extent_of(Output output) { return output_names[static_cast<std::size_t>(output)].extent; }
Extent extent_of(Input input) { return input_names[static_cast<std::size_t>(input)].extent; }

int KernelSizes::operator()(Extent extent) const {
  switch (extent) {
    case Extent::one: return 1;
    case Extent::nq: return layout.nq;
    case Extent::nv: return layout.nv;
    case Extent::nz: return layout.nz;
    case Extent::nd: return layout.nd;
    case Extent::nw: return layout.nw;
    case Extent::m: return layout.m;
    case Extent::rows: return rows;
    case Extent::quantities: return quantities;
    case Extent::events: return events;
    case Extent::wrenches: return wrenches;
  }
  return 0;
}

Kernels::Kernels(const KernelSizes& sizes) : sizes_(sizes), input_count_(sizes.layout.size()) {
  for (int i = 0; i < input_kinds; ++i) {
    inputs_[static_cast<std::size_t>(i)] = input_count_;
    input_count_ += sizes(extent_of(static_cast<Input>(i)));
  }
  for (const KernelEntry& entry : kernel_table()) {
    outputs_[index(entry.kernel)].fill(-1);
    int& count = output_counts_[index(entry.kernel)];
    for (const Output output : entry.outputs) {
      outputs_[index(entry.kernel)][static_cast<std::size_t>(output)] = count;
      count += sizes(extent_of(output));
    }
  }
}

void Kernels::set_program(Kernel kernel, std::shared_ptr<const Program> program) {
  programs_[index(kernel)] = std::move(program);
}

int Kernels::input_count(Kernel kernel) const {
  int count = layout().size();
  for (const Input input : entry_of(kernel).inputs)
    count = std::max(count, this->input(input) + sizes_(extent_of(input)));
  return count;
}

}  // namespace armature::internal
