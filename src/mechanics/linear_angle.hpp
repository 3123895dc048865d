// Angles that are sums of coordinates.
#pragma once

#include <optional>

#include "mechanics/equations.hpp"

namespace armature::internal {

// Where an angle, known up to whole turns, changes by the same sum of coordinates' changes at every pose, as all angles of a
// planar machine do: that sum, which counts whole turns by itself. rate: the angle's, in terms of v.
std::optional<Expression> linear_angle(Expression angle, Expression rate, const Equations& equations);

}  // namespace armature::internal
