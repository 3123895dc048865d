// The equations of motion of a tree of links with the forces and inertia of elements on it: M, f, kinetic and potential energy.
#pragma once

#include "mechanics/body_masses.hpp"
#include "mechanics/builder.hpp"
#include "mechanics/tree.hpp"

namespace armature::internal {

// Throws ModelError where M would be too large.
void add_tree_dynamics(EquationsBuilder& builder, const Tree& tree, BodyMasses& masses, const Vec3& gravity);

}  // namespace armature::internal
