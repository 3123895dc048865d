// What a kernel of a compiled model has written for W states, by the names of kernels.def; null: it does not write it. The numbers stand
// there until the next kernel runs in the same memory.
#pragma once

#include "step/row.hpp"

namespace armature::step {

template <int W>
struct KernelOutputs {
#define OUTPUT(name, size) const Row<W>* name = nullptr;
#include "step/kernels.def"
};

// Kernels that a model does not have; nobody calls them then.
struct NoKernels {
#define KERNEL(name, ...) \
  ARMATURE_STEP static KernelOutputs<1> name(const double*, Row<1>*) { return {}; }
#include "step/kernels.def"
};

}  // namespace armature::step
