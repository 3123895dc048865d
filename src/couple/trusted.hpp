// Which FMUs may run: they are code of somebody else's. Those that a user has trusted once are known by the hash of their file.
#pragma once

#include <string>
#include <vector>

#include "couple/fmu_archive.hpp"

namespace armature::internal {

// file: of the model. how: what to do to trust an FMU ("add --trust"). Throws RequestError where one has not been trusted on this computer
// before and `trust` is false; with it, they are from now on.
void require_trust(const std::string& file, const std::vector<FmuArchive>& fmus, bool trust, const std::string& how);

}  // namespace armature::internal
