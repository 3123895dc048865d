#include "drive/drive_kinds.hpp"

namespace armature::internal {

const DriveKind& dc_motor_kind();

std::span<const DriveKind* const> drive_kinds() {
  static const DriveKind* const kinds[] = {
      &dc_motor_kind(),
  };
  return kinds;
}

}  // namespace armature::internal
