// Kernels: what a compiled model offers as programs. One table (kernel.cpp) gives each of them its name, its outputs by name and
// size, what it reads besides the inputs of Layout, and how its expressions are made. Programs, evaluators of any width and
// whoever writes programs down elsewhere read that table: a new kernel is one entry there and one name here.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "expression/program.hpp"
#include "system/layout.hpp"

namespace armature::internal {

struct Equations;
class TracedOutputs;

enum class Kernel {
  // of the traced solve, on the independent rows
  acceleration,
  acceleration_baumgarte,
  correct_position,  // the step onto phi = 0
  correct_velocity,  // onto phidot = 0
  correct_velocity_and_errors,
  correct_motion,  // both, to first order
  step_end,        // acceleration, correct_motion and the error estimate
  // of every model
  roots,
  root_rates,
  discrete,
  events,
  observables,
  energy,
  reactions,
};
inline constexpr int kernel_count = static_cast<int>(Kernel::reactions) + 1;

enum class Output {
  vdot,
  lambda,
  qdot,
  zdot,
  dq,  // along v: q moves by N dq
  dv,
  d_position_error,  // the steps that make errors tangent
  d_velocity_error,
  position_error,  // tangent
  velocity_error,
  work,  // by which the stored energy changes with dq and dv, J
  phi,
  phidot,
  mass_pivots,  // of M
  pivots,       // of S = Phi M^-1 Phi'
  scales,       // of these
  roots,
  root_rates,
  discrete,  // the next values
  events,
  quantities,
  kinetic,
  potential,
  elastic,
  magnetic,
  energy,    // stored: kinetic, potential and magnetic
  wrenches,  // six numbers a joint
};
inline constexpr int output_kinds = static_cast<int>(Output::wrenches) + 1;

// Further inputs. Each has one place behind the inputs of Layout, the same for all kernels; a kernel takes them up to the last
// that it reads.
enum class Input { alpha, beta, position_error, velocity_error, weight, vdot, lambda };
inline constexpr int input_kinds = static_cast<int>(Input::lambda) + 1;

enum class Extent { one, nq, nv, nz, nd, nw, m, rows, quantities, events, wrenches };

struct KernelSizes {
  Layout layout;
  int rows = 0;  // of the traced solve
  int quantities = 0, events = 0, wrenches = 0;
  int operator()(Extent extent) const;
};

// The entries of the table.
struct KernelEntry {
  Kernel kernel;
  const char* name;
  std::vector<Output> outputs;  // one behind the other
  std::vector<Input> inputs;    // further ones that it reads
  enum class Use { stepping, recording } use;
  // of kernels of every model, with the kinetic energy in the form that the traced solve shares
  std::vector<Expression> (*expressions)(const Equations&, const Expression& kinetic) = nullptr;
  std::vector<Expression> (TracedOutputs::*traced)() const = nullptr;  // of kernels of the traced solve
  bool packed = false;                                                 // with the solve's packs
};
const std::array<KernelEntry, kernel_count>& kernel_table();
const KernelEntry& entry_of(Kernel kernel);
const char* name_of(Output output);
const char* name_of(Input input);
Extent extent_of(Output output);
Extent extent_of(Input input);

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
  const std::array<int, output_kinds>& outputs(Kernel kernel) const { return outputs_[index(kernel)]; }
  int output(Kernel kernel, Output output) const { return outputs(kernel)[static_cast<std::size_t>(output)]; }
  int input(Input input) const { return inputs_[static_cast<std::size_t>(input)]; }  // among all inputs
  int output_count(Kernel kernel) const { return output_counts_[index(kernel)]; }
  int input_count(Kernel kernel) const;
  int input_count() const { return input_count_; }  // with all further ones

 private:
  static std::size_t index(Kernel kernel) { return static_cast<std::size_t>(kernel); }

  KernelSizes sizes_;
  int input_count_ = 0;
  std::array<std::array<int, output_kinds>, kernel_count> outputs_{};
  std::array<int, kernel_count> output_counts_{};
  std::array<int, input_kinds> inputs_{};
  std::array<std::shared_ptr<const Program>, kernel_count> programs_;
};

}  // namespace armature::internal
