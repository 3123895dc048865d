// Constraint rows of a mechanism: joints that close loops, distances, and constraints given by formulas. A loop is written in the
// frame of the nearest common ancestor of its two sides, so that the zeros of Phi are structural.
#pragma once

#include "mechanics/bodies.hpp"
#include "mechanics/topology.hpp"

namespace armature::internal {

void close_loops(EquationsBuilder& builder, const Bodies& bodies, const Topology& topology);

}  // namespace armature::internal
