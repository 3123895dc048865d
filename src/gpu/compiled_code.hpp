// A translation unit compiled by NVRTC for a kind of card. The result is kept in a cache folder under a name made of the text, the
// compiler and the card, so that the next command finds it.
#pragma once

#include <filesystem>
#include <string>

#include "gpu/motion_device.hpp"

namespace armature::internal {

// $XDG_CACHE_HOME/armature or ~/.cache/armature; empty: neither is known, and nothing is kept.
std::filesystem::path code_cache();

void require_compiler();  // throws RequestError, with a sentence, where there is none

// architecture: "sm_90". Throws RequestError where there is no compiler, ComputationError with the compiler's words.
std::string compiled_code(const std::string& unit, const std::string& architecture, Compilation compilation,
                          const std::filesystem::path& cache = code_cache());

}  // namespace armature::internal
