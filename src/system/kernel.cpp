#include "system/kernel.hpp"

#include <algorithm>

#include "system/kernel_expressions.hpp"

namespace armature::internal {

namespace {

constexpr std::array<const char*, step::output_kinds> output_names = {{
#define OUTPUT(name, size) #name,
#include "step/kernels.def"
}};

constexpr std::array<const char*, step::input_kinds> input_names = {{
#define INPUT(name, size) #name,
#include "step/kernels.def"
}};

std::array<KernelEntry, kernel_count> make_table() {
  return {{
#define KERNEL(word, ...) {step::row_of(Kernel::word), Kernel::word, #word, &kernel_expressions::word},
#include "step/kernels.def"
  }};
}

}  // namespace

const std::array<KernelEntry, kernel_count>& kernel_table() {
  static const std::array<KernelEntry, kernel_count> table = make_table();
  return table;
}

const KernelEntry& entry_of(Kernel kernel) { return kernel_table()[static_cast<std::size_t>(kernel)]; }
const char* name_of(Output output) { return output_names[static_cast<std::size_t>(output)]; }
const char* name_of(Input input) { return input_names[static_cast<std::size_t>(input)]; }

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
    case Extent::lookups: return lookups;
    case Extent::wrenches: return wrenches;
    case Extent::contacts: return contacts;
    case Extent::contact_rows: return contacts * layout.nv;
  }
  return 0;
}

Kernels::Kernels(const KernelSizes& sizes) : sizes_(sizes) {
  input_count_ = step::place_inputs(sizes.layout.size(), sizes, inputs_.data());
  for (const KernelEntry& entry : kernel_table())
    output_counts_[index(entry.kernel)] =
        step::place_outputs(entry.kernel, sizes, outputs_[index(entry.kernel)].data());
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
