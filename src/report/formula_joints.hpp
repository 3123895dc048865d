// Which coordinates of joints a formula names, through definitions too, and whether it names the time.
#pragma once

#include <set>
#include <string>

#include "model/model.hpp"

namespace armature::internal {

struct FormulaJoints {
  std::set<std::string> coordinates;
  bool uses_time = false;
};

FormulaJoints joints_in(const Formula& formula, const Model& model);

}  // namespace armature::internal
