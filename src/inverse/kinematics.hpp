// Positions only: at the times of recording the coordinates that `prescribed` drives are put where their formulas say,
// and phi(t, q) = 0, phidot = 0 are solved for the rest, each time from the last. No forces, no integration. Where the loops
// cannot close any more the motion ends, at the limit itself.
#pragma once

#include "observe/outcome.hpp"
#include "prepare/prepare.hpp"
#include "record/recorder.hpp"
#include "run/simulate.hpp"

namespace armature::internal {

// The model with the coordinate `name` driven by a formula of t. Throws ModelError.
Model driven(Model model, const std::string& name, const std::string& formula);

Outcome move(const Prepared& prepared, Recorder& recorder, const Progress& progress = {});

}  // namespace armature::internal
