#include "system/kernel.hpp"

#include <algorithm>

#include "system/kernel_expressions.hpp"

namespace armature::internal {

namespace {

std::array<KernelEntry, kernel_count> make_table() {
  using enum Output;
  using enum KernelEntry::Use;
  return {{
#define KERNEL(word, ...) \
  {.kernel = Kernel::word, .name = #word, .expressions = &kernel_expressions::word, __VA_ARGS__},
#include "system/kernels.def"
  }};
}

struct Group {
  const char* name;
  Extent extent;
};

constexpr std::array<Group, output_kinds> output_groups = {{
#define OUTPUT(name, size) {#name, Extent::size},
#include "system/kernels.def"
}};

constexpr std::array<Group, input_kinds> input_groups = {{
#define INPUT(name, size) {#name, Extent::size},
#include "system/kernels.def"
}};

}  // namespace

const std::array<KernelEntry, kernel_count>& kernel_table() {
  static const std::array<KernelEntry, kernel_count> table = make_table();
  return table;
}

const KernelEntry& entry_of(Kernel kernel) { return kernel_table()[static_cast<std::size_t>(kernel)]; }
const char* name_of(Output output) { return output_groups[static_cast<std::size_t>(output)].name; }
const char* name_of(Input input) { return input_groups[static_cast<std::size_t>(input)].name; }
Extent extent_of(Output output) { return output_groups[static_cast<std::size_t>(output)].extent; }
Extent extent_of(Input input) { return input_groups[static_cast<std::size_t>(input)].extent; }

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
