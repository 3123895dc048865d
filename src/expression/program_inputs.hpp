// Which of its inputs a program reads.
#pragma once

#include <vector>

#include "expression/program.hpp"

namespace armature::internal {

std::vector<bool> inputs_read(const Program& program);

}  // namespace armature::internal
