// What each kernel of kernels.def computes, as expressions: a function per kernel, in the order of its outputs.
#pragma once

#include <vector>

#include "mechanics/equations.hpp"
#include "system/traced_motion.hpp"

namespace armature::internal {

struct KernelSource {
  const Equations& e;
  const TracedMotion* traced;  // null: of kernels of every model
  Expression kinetic;          // in the form that the traced solve shares
};

namespace kernel_expressions {

#define KERNEL(name, ...) std::vector<Expression> name(const KernelSource& source);
#include "step/kernels.def"

}  // namespace kernel_expressions

}  // namespace armature::internal
