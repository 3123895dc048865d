// Where a one-step method is stable: x1 = R(h lambda) x0 for xdot = lambda x, and |R| <= 1.
#pragma once

#include <complex>

#include "integrate/tableau.hpp"

namespace armature::internal {

// Length of the ray towards lambda on which the method is stable: steps hold up to about this length over |lambda|.
double stable_length(const Tableau& method, std::complex<double> lambda);

}  // namespace armature::internal
