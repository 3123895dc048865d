// Whether a row of a loop is zero whatever the pose, but for round-off: where the joints of a loop share an axis that is no
// coordinate axis, products of rounded directions leave 1e-16 where a zero belongs. Such a row has no size of its own, and would
// be taken for an independent one.
#pragma once

#include "mechanics/equations.hpp"

namespace armature::internal {

// By its values at some poses, with other parameters. False where it depends on more than these.
bool vanishes(Expression phi, const Equations& equations);

}  // namespace armature::internal
