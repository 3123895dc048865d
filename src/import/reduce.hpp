// A robot file says a joint in a loop by what its format has: pairs of points, welds, links without mass. This turns them back
// into joints, and places every body.
#pragma once

#include "import/robot.hpp"

namespace armature::internal {

// 1. A body without mass that is fixed to another one becomes a point of it. A weld that closes a loop at the end of an extra joint
//    thereby makes this joint close the loop.
// 2. Joints of the graph that close a loop are found where the file does not say so; a body that nothing holds moves freely.
// 3. Two points that coincide with two points of the same other body are a revolute joint; of three that are not in
//    line, two are.
// Returns the pose of every body where all joints of the tree are at zero.
std::vector<Frame> reduce(Robot& robot);

}  // namespace armature::internal
