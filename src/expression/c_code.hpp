// A program as a C99 function: the straight-line form written out, one statement a value.
#pragma once

#include <string>

#include "expression/program.hpp"

namespace armature {

// static void NAME(const double *in, double *out) { … }, with the tables it looks up before it. Needs <math.h> and
// c_code_preamble() once before it.
std::string c_function(const Program& program, const std::string& name);

// What the functions share: select() and the look-up in tables.
std::string c_code_preamble();

std::string c_number(double value);  // exact: a hexadecimal literal where a decimal one of 15 digits is not

}  // namespace armature
