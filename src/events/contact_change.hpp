// What rigid contacts did to velocities at one instant (contacts.hpp), for those who differentiate it: impulses one after the other, each the
// solution of linear equations once it is known which contacts took part, and how.
#pragma once

#include <vector>

#include "step/contact_laws.hpp"

namespace armature::internal {

using step::ImpulseLaw;

struct ContactImpulse {
  std::vector<ImpulseLaw> rows;  // 2 i: normal of contact i, 2 i + 1: its tangent
  double part = 1;               // of all restitutions; below 1: the largest with which the energy does not grow
};

using ContactImpulses = std::vector<ContactImpulse>;

}  // namespace armature::internal
