// Sums as text: plain, LaTeX, C or Python. Common factors go in front, what multiplies one sine or cosine is
// collected, and coefficients are printed as fractions where they are.
#pragma once

#include <string>

#include "inspect/printing_sum.hpp"

namespace armature::internal {

enum class PrintingStyle { text, latex, c, python };

std::string printed(const PrintingSum& sum, const PrintingAlgebra& algebra, PrintingStyle style);

// A name as the style writes it: "theta1'" is \dot{\theta}_{1} in LaTeX, dtheta1 in C.
std::string printed_name(const std::string& name, PrintingStyle style);

}  // namespace armature::internal
