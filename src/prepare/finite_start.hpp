// Whether the equations are finite numbers at the start. sqrt(q), 1/q and norm(a - b) are not, or have no derivative, where
// their argument is zero; and a length of 1e160 m squares to infinity.
#pragma once

#include "model/model.hpp"
#include "system/state.hpp"
#include "system/system.hpp"

namespace armature::internal {

// Throws ModelError where phi, Phi or M holds something else than finite numbers at `start`: names the constraint or the
// coordinate.
void refuse_not_finite(const Model& model, SystemEvaluator& evaluator, const State& start);

}  // namespace armature::internal
