// A singular pose that the motion passes (dynamics/singular_passage.hpp).
#pragma once

namespace armature::step {

// The sine of a constraint row: below it accelerations there are interpolated, or the motion leaves its host.
inline constexpr double unreadable = 5e-4;

}  // namespace armature::step
