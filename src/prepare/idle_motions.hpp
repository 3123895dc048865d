// Idle motions: a massless rod between two balls can spin about its own axis, and nothing resists or drives that spin. The equations
// do not determine it, and nothing depends on it. It gets an inertia, so that it keeps the speed of its start; all other motions
// stay as they are.
#pragma once

#include "mechanics/equations.hpp"
#include "model/model.hpp"

namespace armature::internal {

// Nothing happens where nothing is massless. Throws ModelError where a force acts on an idle motion.
void hold_idle_motions(const Model& model, const std::shared_ptr<Equations>& equations);

}  // namespace armature::internal
