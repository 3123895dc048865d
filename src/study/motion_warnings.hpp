// What is wrong with a motion that came to its end, as a number that a cell can hold: one bit for each row of findings.def.
#pragma once

#include <string>
#include <vector>

#include "model/finding.hpp"

namespace armature::internal {

double warning_bits(const Findings& findings);
double all_warnings(double a, double b);              // of two motions
std::vector<FindingCode> warning_codes(double bits);  // in the order of the rows
std::string warning_words(double bits);               // "energy steps"

}  // namespace armature::internal
