// What contacts do at a change, for those who are told of it.
#pragma once

namespace armature::step {

// What a row of a contact, its normal or its tangent, does in an impulse p with velocities r before and r+ after it.
enum class ImpulseLaw : char {
  none,             // p = 0
  restores,         // r+ = -restitution r
  stops,            // r+ = 0
  slips_forwards,   // p = -friction p of the normal
  slips_backwards,  // p = +friction p of the normal
};
enum class ContactChange : char { closes, opens, slips, sticks, slides_back };

}  // namespace armature::step
