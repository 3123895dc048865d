// The contract of a compiled model: which kernels it offers, what each writes and reads, and where these numbers stand. Freestanding:
// the program, pages and those who write programs down elsewhere follow the same list (kernels.def).
#pragma once

#include "step/kernel_outputs.hpp"

namespace armature::step {

enum class Kernel {
#define KERNEL(name, ...) name,
#include "step/kernels.def"
};
enum class Output {
#define OUTPUT(name, size) name,
#include "step/kernels.def"
};
enum class Input {
#define INPUT(name, size) name,
#include "step/kernels.def"
};
// What counts the numbers of a group.
enum class Extent { one, nq, nv, nz, nd, nw, m, rows, quantities, events, lookups, wrenches, contacts, contact_rows };

inline constexpr int kernel_count = 0
#define KERNEL(name, ...) +1
#include "step/kernels.def"
    ;
inline constexpr int output_kinds = 0
#define OUTPUT(name, size) +1
#include "step/kernels.def"
    ;
inline constexpr int input_kinds = 0
#define INPUT(name, size) +1
#include "step/kernels.def"
    ;

inline constexpr Extent output_extents[] = {
#define OUTPUT(name, size) Extent::size,
#include "step/kernels.def"
};
inline constexpr Extent input_extents[] = {
#define INPUT(name, size) Extent::size,
#include "step/kernels.def"
};

constexpr Extent extent_of(Output output) { return output_extents[static_cast<int>(output)]; }
constexpr Extent extent_of(Input input) { return input_extents[static_cast<int>(input)]; }

// A few of them, one behind the other.
template <class Kind>
struct KindList {
  static constexpr int most = 20;
  Kind kinds[most] = {};
  int count = 0;
  constexpr KindList() = default;
  template <class... Kinds>
  constexpr KindList(Kinds... each) : kinds{each...}, count(sizeof...(each)) {}
  constexpr const Kind* begin() const { return kinds; }
  constexpr const Kind* end() const { return kinds + count; }
};

// A row of the list.
struct KernelRow {
  KindList<Output> outputs = {};
  KindList<Input> inputs = {};  // further ones that it reads
  enum class Use { stepping, recording } use = Use::stepping;
  bool traced = false;  // of the traced solve
  bool packed = false;  // with the solve's packs
};

namespace kernel_rows {
using enum Output;
using enum KernelRow::Use;
// By Kernel.
inline constexpr KernelRow all[] = {
#define KERNEL(name, ...) {__VA_ARGS__},
#include "step/kernels.def"
};
}  // namespace kernel_rows

inline constexpr const KernelRow& row_of(Kernel kernel) { return kernel_rows::all[static_cast<int>(kernel)]; }

// The first of each output's numbers among those that a kernel writes, by Output; -1: it does not write it. sizes(extent): of the
// model. Returns how many it writes.
template <class Sizes>
int place_outputs(Kernel kernel, const Sizes& sizes, int* first) {
  for (int i = 0; i < output_kinds; ++i) first[i] = -1;
  int count = 0;
  for (const Output output : row_of(kernel).outputs) {
    first[static_cast<int>(output)] = count;
    count += sizes(extent_of(output));
  }
  return count;
}

// The first of each further input's numbers, by Input, behind the inputs that all kernels have. Returns how many there are in all.
template <class Sizes>
int place_inputs(int behind, const Sizes& sizes, int* first) {
  for (int i = 0; i < input_kinds; ++i) {
    first[i] = behind;
    behind += sizes(extent_of(static_cast<Input>(i)));
  }
  return behind;
}

// Where a kernel that writes to `rows` leaves its outputs; first: of place_outputs().
template <int W>
void find_outputs(Kernel kernel, const Row<W>* rows, const int* first, KernelOutputs<W>& out) {
  constexpr const Row<W>* KernelOutputs<W>::*members[] = {
#define OUTPUT(name, size) &KernelOutputs<W>::name,
#include "step/kernels.def"
  };
  for (const Output output : row_of(kernel).outputs) {
    const int k = static_cast<int>(output);
    out.*members[k] = rows + first[k];
  }
}

}  // namespace armature::step
