#include "control/controller_kinds.hpp"

namespace armature::internal {

const ControllerKind &formula_kind(), &pd_kind(), &pid_kind(), &gravity_compensation_kind(), &computed_torque_kind(),
    &transfer_function_kind(), &low_pass_kind(), &delay_kind();

std::span<const ControllerKind* const> controller_kinds() {
  static const ControllerKind* const kinds[] = {
      &formula_kind(),           &pd_kind(),       &pid_kind(),   &gravity_compensation_kind(), &computed_torque_kind(),
      &transfer_function_kind(), &low_pass_kind(), &delay_kind(),
  };
  return kinds;
}

}  // namespace armature::internal
