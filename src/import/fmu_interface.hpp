// What the modelDescription.xml of somebody's FMU says: the variables that can be coupled, and how its binary is called.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace armature::internal {

struct FmuPort {
  enum class Type { real, integer, boolean };
  std::string name;
  std::uint32_t reference = 0;
  Type type = Type::real;
  std::string unit;  // as the FMU writes it; empty: none
  std::optional<double> start = {};
};

struct FmuInterface {
  int version = 3;         // 2 or 3
  std::string identifier;  // of the binary for co-simulation
  std::string token;
  std::string name;  // of the model
  std::vector<FmuPort> inputs, outputs, parameters;
};

// archive: the bytes of the FMU. Throws RequestError: no archive, no description, no co-simulation, a version that is not known.
FmuInterface fmu_interface(std::string_view archive);

}  // namespace armature::internal
