// Leaves of complete equations replaced by expressions, wherever formulas have left them.
#pragma once

#include "expression/derivative.hpp"
#include "mechanics/equations.hpp"

namespace armature::internal {

// In forces, rates, quantities, sampled values, events, energies and the roots of comparisons. Constraint rows and reactions stay as
// they are. The roots are those of the graph, which copies of the equations share.
void substitute(Equations& equations, const LeafMap& values);

}  // namespace armature::internal
