// The kinds of force elements. A new one is a file in this folder and a line in force_kinds.cpp.
#pragma once

#include <span>

#include "model/force_element.hpp"

namespace armature::internal {

std::span<const ForceKind* const> force_kinds();  // in the order of the reference

}  // namespace armature::internal
