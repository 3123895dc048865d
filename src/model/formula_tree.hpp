// Formulas made by the reader out of formulas of the file: loop variables replaced, shapes' moments of inertia, gears.
#pragma once

#include <string>
#include <vector>

#include "model/yaml_tree.hpp"

namespace armature::internal {

Formula operator+(const Formula& a, const Formula& b);
Formula operator-(const Formula& a, const Formula& b);
Formula operator*(const Formula& a, const Formula& b);
Formula operator*(double a, const Formula& b);
Formula square(const Formula& a);
Formula component(const Formula& vector, const char* name);  // "x", "y" or "z"

Formula name_formula(const std::string& name, Location where);
Formula list_formula(const std::vector<Formula>& entries, Location where);

// Loop variables replaced by what they stand for.
Formula with_loop_values(const Formula& formula, const LoopValues& values);

}  // namespace armature::internal
