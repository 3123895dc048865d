#include "support/paths.hpp"

namespace armature::internal {

const char* const source_directory = ARMATURE_SOURCE_DIR;
const char* const program_path = ARMATURE_PROGRAM;
const char* const fmu_directory = ARMATURE_FMU;

}  // namespace armature::internal
