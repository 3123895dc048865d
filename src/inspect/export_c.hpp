// A model as code for a real-time target: its programs as C99, and the step of the engine (step/exported.hpp) as freestanding
// C++20 that calls them. No allocation, no exceptions; the programs need <math.h>, the step needs nothing.
#pragma once

#include <string>

#include "prepare/prepare.hpp"

namespace armature::internal {

struct ExportedCode {
  std::string header;    // PREFIX.h, for C and C++
  std::string programs;  // C99: start, derivative and quantities
  std::string step;      // C++20: PREFIX_step
};

// prefix: of every name in the code; a C identifier. The free parameters of `prepared` become the inputs p of the step.
// Throws std::invalid_argument with a sentence where the model cannot be written.
ExportedCode export_c(const Prepared& prepared, const std::string& model_name, const std::string& prefix);

// The model for a translation unit that holds everything, the step as well (gpu/device_code.hpp): struct Plant, whose names begin with
// `model`. Its method is that of the options, which has a tableau or is semi-implicit Euler. Where the model has gains they follow the
// parameters p. MODEL_KERNEL stands before every program.
struct UnitCode {
  std::string text;
  std::string foreign;  // see foreign_function()
};
UnitCode export_unit(const Prepared& prepared);

// Letters, digits and underscores of a name, as a C identifier.
std::string c_identifier(const std::string& name);

}  // namespace armature::internal
