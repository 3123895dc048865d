// Functions of one or two numbers over arrays: what the interpreter and the machine code call for operations that are not
// plain arithmetic, so that both give the same bits.
#pragma once

#include "expression/graph.hpp"

namespace armature::internal {

using UnaryBatch = void (*)(const double* x, double* y, long n);                      // y[i] = f(x[i])
using BinaryBatch = void (*)(const double* x1, const double* x2, double* y, long n);  // y[i] = f(x1[i], x2[i])

UnaryBatch unary_batch(Op op);  // null where op is not such a function
BinaryBatch binary_batch(Op op);

const char* function_name(Op op);  // as formulas write it; empty for leaves and arithmetic

}  // namespace armature::internal
