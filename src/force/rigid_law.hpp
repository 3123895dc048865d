// The law of a contact between rigid surfaces: no penetration, Newton's restitution, Coulomb's friction. A contact with a
// restitution and without a stiffness has it (mechanics/rigid_contact.hpp).
#pragma once

#include "mechanics/builder.hpp"
#include "model/force_element.hpp"

namespace armature::internal {

namespace rigid_format {
using namespace keys;
inline constexpr KeySpec sliding{"sliding",
                                 "sliding velocity of the surfaces of a rigid gap, which friction opposes: point.x'",
                                 number,
                                 "m/s",
                                 "required with gap and friction",
                                 any,
                                 moves};
inline constexpr KeySpec tangential{
    "tangential_restitution",
    "coefficient of restitution of the sliding velocity in an impact of rigid surfaces, 0 to 1",
    number,
    "1",
    "0",
    not_negative};
}  // namespace rigid_format

bool is_rigid(const MapReader& map);
bool is_rigid(const ForceElement& contact);
void check_rigid_law(const MapReader& map, Reading& reading);  // keys that go together

// One place of contact. sliding: 0 where surfaces have none; second: along the second tangent, 0 where there is one.
struct RigidPlace {
  std::string suffix;  // of several
  Expression gap;
  Expression sliding = 0.0, second = 0.0;
};
// Records NAME.gap, NAME.force, NAME.friction and NAME.sliding.
void add_rigid_law(EquationsBuilder& builder, const ForceElement& contact, const RigidPlace& at);

}  // namespace armature::internal
