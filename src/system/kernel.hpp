// Kernels: what a compiled model offers as programs. One list (step/kernels.def) gives each of them its name, its outputs by name and
// size and what it reads besides the inputs of Layout; kernel_expressions.cpp has its expressions.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "expression/program.hpp"
#include "step/kernel_list.hpp"
#include "system/layout.hpp"

namespace armature::internal {

struct Equations;
struct KernelSource;
class TracedMotion;

using step::Extent;
using step::Input;
using step::Kernel;
using step::kernel_count;
using step::Output;

struct KernelSizes {
  Layout layout;
  int rows = 0;  // of the traced solve
  int quantities = 0, events = 0, lookups = 0, wrenches = 0, contacts = 0;
  int operator()(Extent extent) const;
};

// A row of the list, with its expressions.
struct KernelEntry : step::KernelRow {
  Kernel kernel;
  const char* name;
  std::vector<Expression> (*expressions)(const KernelSource&);
};
const std::array<KernelEntry, kernel_count>& kernel_table();
const KernelEntry& entry_of(Kernel kernel);
const char* name_of(Output output);
const char* name_of(Input input);

// The programs of one model by kernel, and where their inputs and outputs stand.
class Kernels {
 public:
  Kernels() = default;
  explicit Kernels(const KernelSizes& sizes);

  const KernelSizes& sizes() const { return sizes_; }
  const Layout& layout() const { return sizes_.layout; }
  int rows() const { return sizes_.rows; }
  void set_program(Kernel kernel, std::shared_ptr<const Program> program);
  const std::shared_ptr<const Program>& program(Kernel kernel) const {
    return programs_[index(kernel)];
  }  // may be null

  // The first of an output's numbers among all outputs of its kernel, by Output; -1: it has no such output.
  const int* outputs(Kernel kernel) const { return outputs_[index(kernel)].data(); }
  int output(Kernel kernel, Output output) const { return outputs(kernel)[static_cast<std::size_t>(output)]; }
  int input(Input input) const { return inputs_[static_cast<std::size_t>(input)]; }  // among all inputs
  int output_count(Kernel kernel) const { return output_counts_[index(kernel)]; }
  int input_count(Kernel kernel) const;
  int input_count() const { return input_count_; }  // with all further ones

 private:
  static std::size_t index(Kernel kernel) { return static_cast<std::size_t>(kernel); }

  KernelSizes sizes_;
  int input_count_ = 0;
  std::array<std::array<int, step::output_kinds>, kernel_count> outputs_{};
  std::array<int, kernel_count> output_counts_{};
  std::array<int, step::input_kinds> inputs_{};
  std::array<std::shared_ptr<const Program>, kernel_count> programs_;
};

}  // namespace armature::internal
