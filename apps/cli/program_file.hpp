// Where this program lies, and with it the models that were shipped with it.
#pragma once

#include <filesystem>

namespace armature::internal::cli {

std::filesystem::path this_program();  // throws ComputationError

}  // namespace armature::internal::cli
