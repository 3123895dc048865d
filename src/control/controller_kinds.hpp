// The kinds of controllers. A new one is a file in this folder and a line in controller_kinds.cpp.
#pragma once

#include <span>

#include "model/controller.hpp"

namespace armature::internal {

std::span<const ControllerKind* const> controller_kinds();  // in the order of the reference

}  // namespace armature::internal
