// The joints of a mechanism: which of them make the tree, which close loops, and the geometry of each.
#pragma once

#include <vector>

#include "mechanics/builder.hpp"
#include "mechanics/joint_motion.hpp"
#include "mechanics/spanning_tree.hpp"

namespace armature::internal {

struct Topology {
  SpanningTree tree;
  std::vector<JointGeometry> geometry;  // of every joint of the model
};

// Throws ModelError: bodies out of reach, loops that nothing may close, axes without a direction, joints that leave the plane.
Topology topology_of(EquationsBuilder& builder);

// Squares of the distances from the first joint of a body to its others: lengths that the machine itself has, wherever its frames
// have their origins.
std::vector<Expression> arm_squares(const EquationsBuilder& builder);

}  // namespace armature::internal
