// Which FMUs may run: they are code of somebody else's. Those that a user has trusted once are known by the hash of their file.
#pragma once

#include <string>

#include "model/model.hpp"

namespace armature::internal {

// how: what to do to trust an FMU ("add --trust"). Throws RequestError where one has not been trusted on this computer before and `trust`
// is false; with it, they are from now on.
void require_trust(const Model& model, bool trust, const std::string& how);

}  // namespace armature::internal
