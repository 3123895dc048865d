// Limits at which a run switches, taken out of a model so that its equations are smooth: those of drives and end stops of joints.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"

namespace armature::internal {

struct ModelLimit {
  std::string name;    // "the current limit of motor"
  std::string signal;  // formula: "motor.current"
  double low, high;    // SI; a little inside of the limit where a run would switch at it
  double margin;       // how much
};

// The model loses them. Throws ModelError where a limit is no constant.
std::vector<ModelLimit> take_limits(Model& model);

}  // namespace armature::internal
