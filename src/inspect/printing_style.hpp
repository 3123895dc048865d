// Sums as text: plain, LaTeX, C or Python. Common factors go in front, what multiplies one sine or cosine is
// collected, and coefficients are printed as fractions where they are.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "inspect/printing_sum.hpp"

namespace armature::internal {

enum class PrintingStyle { text, latex, c, python };

using PrintingNames = std::map<std::string, std::string>;  // names of a model and what stands for them in code

// names: for C and Python, of all symbols.
std::string printed(const PrintingSum& sum, const PrintingAlgebra& algebra, PrintingStyle style,
                    const PrintingNames& names = {});

// A name in text or LaTeX: "theta1'" is \dot{\theta}_{1}.
std::string printed_name(const std::string& name, PrintingStyle style);

// What a function of the equations is called: max is fmax in C, and table0'' is table0_2 in code.
std::string called_name(const std::string& function, PrintingStyle style);

// Identifiers of C and Python: "theta1'" is rate_of_theta1. No two are equal, and none is reserved or a keyword.
PrintingNames code_names(const std::vector<std::string>& names, const std::set<std::string>& reserved);

}  // namespace armature::internal
