#include "prepare/current_limits.hpp"

#include "model/scope.hpp"

namespace armature::internal {

std::vector<Prepared::CurrentLimit> current_limits(const Model& model) {
  std::vector<Prepared::CurrentLimit> limits;
  for (const DcMotor& motor : model.motors) {
    const auto limit = find_constant(motor.current_limit, model), L = find_constant(motor.inductance, model),
               R = find_constant(motor.resistance, model);
    if (motor.voltage.given() && limit && L && R && *L > 0 && *R > 0)
      limits.push_back({motor.name + ".current", *limit, *L / *R});
  }
  return limits;
}

}  // namespace armature::internal
