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

}  // namespace armature::internal
