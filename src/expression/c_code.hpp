// A program as a C99 function: the straight-line form written out, one statement a value.
#pragma once

#include <string>

#include "expression/program.hpp"

namespace armature::internal {

// void NAME(const double *in, double *out) { … }, with the tables it looks up before it. Needs <math.h> and c_code_preamble()
// once before it. Compiled without contraction of a*b+c it has the bits of the program.
std::string c_function(const Program& program, const std::string& name);

// What the functions in `code` call: select, the look-up in tables, our own sin, cos, exp and atan2.
std::string c_code_preamble(const std::string& code);

std::string c_number(double value);  // exact: a hexadecimal literal where a decimal one of 15 digits is not

}  // namespace armature::internal
