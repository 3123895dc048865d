// Derivatives along the motion, and by velocities.
#pragma once

#include "expression/derivative.hpp"
#include "mechanics/equations.hpp"

namespace armature::internal {

LeafMap flow_of_positions(const Equations& equations);         // t by 1, q by qdot
LeafMap flow_of_auxiliary_states(const Equations& equations);  // t by 1, z by zdot
LeafMap flow_of_states(const Equations& equations);            // both, without v

std::vector<Expression> gradient(Expression x, const std::vector<Expression>& leaves);  // by each of the leaves

}  // namespace armature::internal
