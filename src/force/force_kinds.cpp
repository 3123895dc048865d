#include "force/force_kinds.hpp"

namespace armature::internal {

const ForceKind &spring_kind(), &torsion_spring_kind(), &force_kind(), &torque_kind(), &effort_kind();

std::span<const ForceKind* const> force_kinds() {
  static const ForceKind* const kinds[] = {
      &spring_kind(), &torsion_spring_kind(), &force_kind(), &torque_kind(), &effort_kind(),
  };
  return kinds;
}

}  // namespace armature::internal
