// Reactions of joints by virtual displacements. The mechanism is built a second time with six virtual displacements at the
// joint, b against a. The force that holds them at zero is what the joint passes on:
//   wrench = M_virtual a - f_virtual + Phi_virtual' lambda,
// for any element and any loop, in the tree or cut, with no code of their own.
#pragma once

#include "mechanics/builder.hpp"

namespace armature::internal {

// Adds Equations::reactions for the joints named in `record: {reactions: [...]}`, and the wrenches of those that formulas use.
void add_reactions(const Model& model, Equations& equations, const ElementAdder& add_elements = {});

}  // namespace armature::internal
