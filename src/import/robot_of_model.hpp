// A model of rigid bodies as a robot, for the formats that have no formulas: every number as it is at the start.
#pragma once

#include <map>

#include "import/robot.hpp"
#include "model/model.hpp"

namespace armature::internal {

struct AssembledStart {
  std::vector<std::string> cut;          // joints that close loops
  std::map<std::string, double> values;  // of coordinates of the others, by name
};

// Throws RequestError where the model has no rigid bodies. What a robot does not have goes to not_taken.
Robot robot_of_model(const Model& model, const AssembledStart& start);

// What the formats write; `not_taken` of the robot grows by what each cannot say.
std::string write_urdf(Robot robot, std::vector<std::string>& not_taken);
std::string write_sdf(Robot robot, std::vector<std::string>& not_taken);
std::string write_mjcf(Robot robot, std::vector<std::string>& not_taken);

}  // namespace armature::internal
