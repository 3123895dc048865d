// Along which way expressions change with time.
#pragma once

#include "expression/derivative.hpp"
#include "mechanics/equations.hpp"

namespace armature::internal {

LeafMap flow_of_positions(const Equations& equations);       // t by 1, q by qdot
LeafMap flow_of_further_states(const Equations& equations);  // t by 1, z by zdot
LeafMap flow_of_states(const Equations& equations);          // both, without v

}  // namespace armature::internal
