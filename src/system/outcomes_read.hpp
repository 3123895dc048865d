// The comparisons whose outcomes a program depends on: where one of them slides, the program's values change with its weight.
#pragma once

#include <vector>

#include "expression/program.hpp"
#include "system/layout.hpp"
#include "system/state.hpp"

namespace armature::internal {

std::vector<int> outcomes_read(const Program& program, const Layout& n);
bool slide(const std::vector<int>& comparisons, const State& state);  // one of them does

}  // namespace armature::internal
