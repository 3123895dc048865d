// The models that are compared.
#pragma once

#include <filesystem>
#include <string>

#include "read/reader.hpp"

namespace armature::internal::gpu_check {

// more: sections behind those of the file.
Model read_shipped(const std::filesystem::path& models, const std::string& name, const Settings& settings,
                   const std::string& more);

// For "stewart": a motor on each leg.
constexpr const char* leg_motors = R"yaml(
drives:
  motor{i}: {for: {i: 1..6}, type: dc_motor, on: "leg{i}", gear_ratio: 3, radius: 0.01, rotor_inertia: 1e-5, torque_constant: 0.05, resistance: 1,
             inductance: 1e-3, voltage: 12}
)yaml";

}  // namespace armature::internal::gpu_check
