// Rotations by a vector: about its direction, by its length. No division by a length that is zero.
#pragma once

#include "mechanics/beam.hpp"

namespace armature::internal {

// (cos |psi|/2, psi sin(|psi|/2)/|psi|), of length 1 up to rounding where |psi| is less than half a turn.
Quaternion quaternion_of(const Vec3& psi);

// w of R = exp [psi]x while psi changes at a rate: [w]x = R' dR, in the turned axes.
Vec3 turning_of(const Vec3& psi, const Vec3& rate);

}  // namespace armature::internal
