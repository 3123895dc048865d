// Singular poses that a motion starts from or passes: minima of the smallest singular value over its frames, located between their neighbors.
#pragma once

#include <vector>

#include "report/decimation.hpp"
#include "report/free_motion.hpp"

namespace armature::internal {

// Poses that may be looked at for a machine of so many degrees of freedom, each by a singular value decomposition; 0: too few to find anything.
int affordable_looks(int freedoms);

// Their times, in order; at most so many, of the first ones. looks: poses to be looked at.
std::vector<double> passed_singular_poses(FreeMotion& motion, const SparseRows& rows, int looks, std::size_t most);

}  // namespace armature::internal
