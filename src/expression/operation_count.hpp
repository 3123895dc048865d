// How many operations a program of some expressions has.
#pragma once

#include <span>

#include "expression/graph.hpp"

namespace armature::internal {

int operation_count(std::span<const Expression> outputs);

}  // namespace armature::internal
