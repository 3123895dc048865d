// A model as one C99 file for a real-time target: the programs of the traced solve written out, and around them a step of
// Runge-Kutta's method of order four with projection (or Baumgarte's terms), without allocation or dependency.
#pragma once

#include <string>

#include "simulate/prepare.hpp"

namespace armature {

// prefix: of every name in the file; a C identifier. The free parameters of `prepared` become the inputs p of the step.
// Throws std::invalid_argument with a sentence where the model cannot be written.
std::string export_c(const Prepared& prepared, const std::string& model_name, const std::string& prefix);

// Letters, digits and underscores of a name, as a C identifier.
std::string c_identifier(const std::string& name);

}  // namespace armature
