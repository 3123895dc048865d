// Mass properties of shapes filled with a density, and meshes that are read for them.
#pragma once

#include "import/robot.hpp"
#include "import/robot_files.hpp"

namespace armature::internal {

// In the frame of the body that has the shape, for 1 kg/m^3. Throws std::runtime_error where a mesh cannot be read or encloses no
// volume.
RobotMass mass_of_shape(const RobotShape& shape, const RobotFiles& files);

// The same shapes with the given mass in all, spread evenly.
RobotMass spread_mass(const std::vector<RobotShape>& shapes, double mass, const RobotFiles& files);

// Loads a mesh from the folder of the robot into the shape. Returns false, and the reason in `why`, if it cannot be drawn.
bool take_mesh(const std::string& name, const Eigen::Vector3d& scale, const RobotFiles& files, RobotShape& shape,
               std::string& why);

}  // namespace armature::internal
