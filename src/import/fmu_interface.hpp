// What the modelDescription.xml of somebody's FMU says: the variables that can be coupled, and how its binary is called.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expression/syntax.hpp"

namespace armature::internal {

struct FmuPort {
  enum class Type { real, integer, boolean };
  std::string name;
  std::uint32_t reference = 0;
  Type type = Type::real;
  std::string
      unit;  // in which this program gives and takes it: of SI, whatever unit the FMU has; empty: none, or not known
  std::optional<Dimension> dimension = {};
  double factor = 1, offset = 0;     // SI = factor * value of the FMU + offset
  std::optional<double> start = {};  // SI
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
