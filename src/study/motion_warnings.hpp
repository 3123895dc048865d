// What is wrong with a motion that came to its end, as a number that a cell can hold: one bit a code of Finding. Besides those of
// outcome.hpp there are
//   steps       stability, not accuracy, limited the steps
//   comparison  steps of one size passed over changes of comparisons
//   undefined   a result is not a number
#pragma once

#include <string>
#include <vector>

#include "observe/outcome.hpp"

namespace armature::internal {

// The codes in the order of their bits: the first is 1, the next 2, 4 …; the last stands for any other.
const std::vector<std::string>& warning_codes();

double warning_bits(const std::vector<Finding>& findings);
bool has_warning(double bits, std::size_t code);  // a place in warning_codes()
std::string warning_words(double bits);           // "energy steps"

}  // namespace armature::internal
