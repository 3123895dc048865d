// The kinds of drives. A new one is a file in this folder and a line in drive_kinds.cpp; gear.hpp, rotor.hpp and winding.hpp are
// the parts that it may be made of.
#pragma once

#include <span>

#include "model/drive.hpp"

namespace armature::internal {

std::span<const DriveKind* const> drive_kinds();  // in the order of the reference

}  // namespace armature::internal
