// A program in arithmetic of ranges, as C++ for a card: the Program of study_ranges.hpp.
#pragma once

#include <string>
#include <vector>

#include "expression/program.hpp"
#include "system/layout.hpp"

namespace armature::internal {

// Why a card cannot follow the program's ranges with the bits of the processor, in words; empty: it can.
std::string range_code_refusal(const Program& program);

// struct NAME { … }; of a program of the inputs of Layout.
std::string range_code(const Program& program, const Layout& layout, const std::string& name);

std::vector<int> entries_read(const Program& program, const Layout& layout);  // of x

}  // namespace armature::internal
