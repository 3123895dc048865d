#include "force/force_kinds.hpp"

namespace armature::internal {

const ForceKind &spring_kind(), &torsion_spring_kind(), &coordinate_spring_kind(), &gas_spring_kind(), &bushing_kind(),
    &belt_kind(), &rope_kind(), &worm_kind(), &power_screw_kind(), &clutch_kind(), &freewheel_kind(), &brake_kind(),
    &friction_kind(), &gear_loss_kind(), &contact_kind(), &force_kind(), &torque_kind(), &effort_kind();

std::span<const ForceKind* const> force_kinds() {
  static const ForceKind* const kinds[] = {
      &spring_kind(),     &torsion_spring_kind(), &coordinate_spring_kind(),
      &gas_spring_kind(), &bushing_kind(),        &belt_kind(),
      &rope_kind(),       &worm_kind(),           &power_screw_kind(),
      &clutch_kind(),     &freewheel_kind(),      &brake_kind(),
      &friction_kind(),   &gear_loss_kind(),      &contact_kind(),
      &force_kind(),      &torque_kind(),         &effort_kind(),
  };
  return kinds;
}

}  // namespace armature::internal
