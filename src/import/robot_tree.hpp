// The tree of a robot whose joints know which of them close loops: where every body is at the start, and by which joint it is held.
#pragma once

#include <functional>

#include "import/robot.hpp"

namespace armature::internal {

struct RobotTree {
  struct Held {
    int joint = -1, parent = ground_body;
    bool reversed = false;  // the body is the joint's a
    Frame pose;             // in the ground
  };
  std::vector<Held> bodies;
  std::vector<int> order;  // parents first

  Frame pose_of(int body) const { return body == ground_body ? Frame{} : bodies[body].pose; }
};

RobotTree tree_at_start(const Robot& robot);

// A joint whose a is the body farther from the ground is turned around: the same joint, with the same value, whose axis points the
// other way. False: its values are others (spherical, planar, free), those of the inverse motion.
bool turn_around(RobotJoint& joint);

// Where a format cannot close a loop by the joint that closes it, another joint of the loop takes its place, if there is one by which
// the format can.
void cut_elsewhere(Robot& robot, const std::function<bool(const RobotJoint&)>& can_close);

}  // namespace armature::internal
