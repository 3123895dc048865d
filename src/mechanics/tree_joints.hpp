// Joints of the tree: their coordinates, and the links that their motions are.
#pragma once

#include "mechanics/bodies.hpp"
#include "mechanics/topology.hpp"

namespace armature::internal {

// Leaves q and v of a joint, in the order of its motions; qdot = N(q) v.
void add_joint_coordinates(EquationsBuilder& builder, const Joint& joint, const JointGeometry& geometry);

// Adds the links of all joints of the tree, and places the bodies on them. Errors are kept by the builder.
void place_tree_joints(EquationsBuilder& builder, Bodies& bodies, const Topology& topology);

}  // namespace armature::internal
