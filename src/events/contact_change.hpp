// What rigid contacts did to velocities at one instant (contacts.hpp), for those who differentiate it: impulses one after the other, each the
// solution of linear equations once it is known which contacts took part, and how.
#pragma once

#include <vector>

namespace armature::internal {

// What holds of one row of a contact, its normal or its tangent, in an impulse p with velocities r before and r+ after it.
enum class ImpulseLaw : char {
  none,             // p = 0
  restores,         // r+ = -restitution r
  stops,            // r+ = 0
  slips_forwards,   // p = -friction p of the normal
  slips_backwards,  // p = +friction p of the normal
};

struct ContactImpulse {
  std::vector<ImpulseLaw> rows;  // 2 i: normal of contact i, 2 i + 1: its tangent
  double part = 1;               // of all restitutions; below 1: the largest with which the energy does not grow
};

using ContactImpulses = std::vector<ContactImpulse>;

}  // namespace armature::internal
