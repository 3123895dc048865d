// A program as a C99 function: the straight-line form written out, one statement a value.
#pragma once

#include <string>

#include "expression/program.hpp"

namespace armature::internal {

// void NAME(const double *in, double *out) { … }, with the tables it looks up before it. Needs <math.h> and c_code_preamble()
// once before it. Compiled without contraction of a*b+c it has the bits of the program.
std::string c_function(const Program& program, const std::string& name);
// The same for device code (gpu/device_code.hpp): MODEL_KERNEL stands before it, and its order keeps few values alive.
std::string device_function(const Program& program, const std::string& name);

// The data of a table, NAME, for armature_table(&NAME, derivative, x).
std::string c_table(const Table& table, const std::string& name);

// What the functions in `code` call: select, the look-up in tables, our own sin, cos, exp and atan2.
std::string c_code_preamble(const std::string& code);

// The same, all of it, for device code (gpu/device_code.hpp): no function of a library. An argument for which the processor asks the
// C library is reported by out_of_reach().
std::string device_code_preamble();
// For device code that becomes single precision (gpu/single_precision.hpp): the functions of the card.
std::string single_code_preamble();
// A function of the C library that the program calls and of which Armature has no version of its own: "tanh", …; empty: none.
std::string foreign_function(const Program& program);

std::string c_number(double value);  // exact: a hexadecimal literal where a decimal one of 15 digits is not

}  // namespace armature::internal
