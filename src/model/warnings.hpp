// What is odd about a model, though nothing is wrong with it: for `check` and for every run.
#pragma once

#include "model/finding.hpp"
#include "model/model.hpp"

namespace armature::internal {

Findings findings_of(const Model& model);

}  // namespace armature::internal
