#include "record/version.hpp"

namespace armature {

const char* version() { return ARMATURE_VERSION; }

}  // namespace armature
