// The error that a step may have in each entry of x, in each lane: lanes may be machines of different sizes.
#pragma once

#include "step/arithmetic.hpp"

namespace armature::step {

template <int W>
struct Tolerance {
  double rtol = 0;
  const Row<W>* atol = nullptr;  // one an entry of x

  // Root mean square of error_i / (atol_i + rtol max(|x0_i|, |x1_i|)) in each lane. Infinite if anything is not finite.
  ARMATURE_STEP void norm(int n, const Row<W>* error, const Row<W>* x0, const Row<W>* x1, Row<W>& result) const {
    error_norm<W>(n, rtol, atol, error, x0, x1, result);
  }
};

}  // namespace armature::step
