// sources/buildDescription.xml of FMI 3.0: how the binary of an FMU is built from its sources.
#pragma once

#include <string>
#include <vector>

namespace armature::internal {

// sources: files to compile, relative to the folder `sources`.
std::string build_description_text(const std::string& identifier, const std::vector<std::string>& sources);

}  // namespace armature::internal
