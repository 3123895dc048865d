// FMUs of others in a model. What each gives is an input of the model, NAME.OUTPUT; what it is given is a recorded quantity, NAME.INPUT.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/model.hpp"

namespace armature::internal {

struct FmuUse {
  std::string name;
  std::string file;
  double step = 0;                                         // s
  double time_limit = 60;                                  // of one call of the FMU, s on the clock
  Location where;                                          // of the step, in the file
  std::vector<std::string> connected;                      // its inputs that the machine gives
  std::vector<std::pair<std::string, double>> parameters;  // its own
};

// Of a model that was read without complaints.
std::vector<FmuUse> fmu_uses(const Model& model);

}  // namespace armature::internal
