// Relative tolerances that make sense.
#pragma once

namespace armature::internal {

constexpr double default_rtol = 1e-8;
constexpr double least_rtol = 1e-14;  // below round-off no step is ever accurate enough
constexpr double largest_rtol = 0.1;  // a tenth of the state is no accuracy at all

}  // namespace armature::internal
