// assembly_branches() with what is known of the search.
#pragma once

#include "dynamics/assembly_poses.hpp"
#include "prepare/prepare.hpp"

namespace armature::internal {

AssemblyPoses find_branches(const Prepared& prepared);

// "found 8 ways from 301 starts; a search does not prove that there are no others"
std::string what_was_searched(const AssemblyPoses& poses);

}  // namespace armature::internal
