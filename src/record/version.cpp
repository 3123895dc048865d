#include "record/version.hpp"

namespace armature::internal {

const char* version() { return ARMATURE_VERSION; }

}  // namespace armature::internal
