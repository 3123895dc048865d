// Which names a formula uses, through definitions too; which of them are coordinates of joints, and whether one is the time.
#pragma once

#include <set>
#include <string>

#include "model/model.hpp"

namespace armature::internal {

struct FormulaJoints {
  std::set<std::string> coordinates;
  bool uses_time = false;
};

std::set<std::string> names_in(const Formula& formula, const Model& model);
FormulaJoints joints_in(const Formula& formula, const Model& model);

}  // namespace armature::internal
