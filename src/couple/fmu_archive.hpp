// The FMUs of a model with the bytes of their files, read once: what is trusted is what runs.
#pragma once

#include <string>
#include <vector>

#include "read/fmu_uses.hpp"

namespace armature::internal {

struct FmuArchive {
  FmuUse use;
  std::string bytes;
};

// Throws RequestError where a file cannot be read.
std::vector<FmuArchive> fmu_archives(const Model& model);

}  // namespace armature::internal
