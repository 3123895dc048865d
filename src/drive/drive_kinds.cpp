#include "drive/drive_kinds.hpp"

namespace armature::internal {

const DriveKind& dc_motor_kind();
const DriveKind& pmsm_kind();
const DriveKind& brushless_kind();
const DriveKind& stepper_kind();
const DriveKind& induction_motor_kind();
const DriveKind& servo_kind();
const DriveKind& hydraulic_cylinder_kind();
const DriveKind& supply_kind();

std::span<const DriveKind* const> drive_kinds() {
  static const DriveKind* const kinds[] = {
      &dc_motor_kind(),        &pmsm_kind(),  &brushless_kind(),          &stepper_kind(),
      &induction_motor_kind(), &servo_kind(), &hydraulic_cylinder_kind(), &supply_kind(),
  };
  return kinds;
}

}  // namespace armature::internal
