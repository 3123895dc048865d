// Coordinates of cut joints: a cut joint keeps its value, as an expression of the tree's coordinates.
#pragma once

#include "mechanics/bodies.hpp"
#include "mechanics/topology.hpp"

namespace armature::internal {

void add_cut_coordinates(EquationsBuilder& builder, const Bodies& bodies, const Topology& topology);

}  // namespace armature::internal
