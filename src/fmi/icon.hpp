// The picture by which tools show an FMU: a four-bar linkage, as the bytes of a PNG file.
#pragma once

#include <string>

namespace armature::internal {

std::string fmu_icon();

}  // namespace armature::internal
