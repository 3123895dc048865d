// Whether a beam has enough elements, or modes, for the way in which its joints hold it.
//
// A beam's first bending frequency, with its ends held as in the machine, is computed twice: in the shapes that the model has,
// and with so many elements that they no longer matter. Their difference is the error. One cubic element that is pinned at
// both ends vibrates 11 % too fast, one that is clamped at one end 0.5 %.
#pragma once

#include "model/finding.hpp"
#include "model/model.hpp"

namespace armature::internal {

// For each beam whose first frequency is off by more than 1 %, with what would be enough.
Findings beam_element_findings(const Model& model);

}  // namespace armature::internal
