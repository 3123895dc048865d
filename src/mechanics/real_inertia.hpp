#pragma once

#include "mechanics/builder.hpp"

namespace armature::internal {

// Requirements that the inertia of a body is that of a real one. J: as the file gives it, about the center or the origin.
void require_real_inertia(EquationsBuilder& builder, const Body& body, const Mat3& J, Expression mass,
                          const Vec3& center);

}  // namespace armature::internal
