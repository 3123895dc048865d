// Prints a robot as a model file (docs/format.md).
//
// Body frames keep their origins and get the axes of the ground in the pose in which all joint values are zero: then a joint needs
// one axis, which is the same in both of its bodies, and no turned frames.
#pragma once

#include <string>

#include "import/robot.hpp"

namespace armature::internal {

// `poses`: of all bodies at zero (reduce.hpp). `source`: the file's name, for the first line. `meshes`: put before the names of mesh
// files: from the folder of the model to that of the robot.
std::string write_model(Robot& robot, const std::vector<Frame>& poses, const std::string& source,
                        const std::string& meshes = "");

}  // namespace armature::internal
