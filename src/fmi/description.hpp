// modelDescription.xml: what an FMU says about itself.
#pragma once

#include <string>

#include "fmi/variables.hpp"

namespace armature::internal {

enum class FmiVersion { fmi2, fmi3 };

struct FmuDescription {
  FmiVersion version = FmiVersion::fmi3;
  std::string name;        // of the model
  std::string identifier;  // of the binary: a C identifier
  std::string token;
  FmuVariables variables;
  double end = 0, tolerance = 0, step = 0;  // of the default experiment; s
  std::vector<std::string> sources;         // of FMI 2.0; that of 3.0 lists its sources in buildDescription.xml
};

std::string description_text(const FmuDescription& description);
std::string terminals_text(
    const FmuDescription& description);  // terminalsAndIcons.xml: inputs and outputs of each joint and drive

}  // namespace armature::internal
