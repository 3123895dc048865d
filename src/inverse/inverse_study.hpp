// The computations of `armature inverse` and `armature kinematics`: from a model to a prepared machine, and from it to rows.
//
//   Prepared prepared = prepare_kinematics(driven(model, "crank", "2*pi*t"));
//   const Outcome outcome = record_kinematics(model, prepared, recorder);
//
//   Prepared prepared = prepare_inverse(model);
//   const Outcome outcome = inverse(model, prepared, recorder);
#pragma once

#include "inverse/inverse.hpp"
#include "inverse/kinematic_record.hpp"
#include "run/chosen_start.hpp"

namespace armature::internal {

// Throws ModelError, RequestError, and ComputationError where there is no start.
Prepared prepare_inverse(const Model& model, const StartChoice& start = {});

// Likewise; RequestError also where nothing moves: no coordinate is driven by a formula of t.
Prepared prepare_kinematics(const Model& model, const StartChoice& start = {});

}  // namespace armature::internal
