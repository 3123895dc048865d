// A number with its unit and its error, if that is known: "11.66460 A ± 2e-5". Its last digit is the first that the error reaches,
// and the error is rounded up.
#pragma once

#include <string>

namespace armature::internal::cli {

// digits: of a number without an error (NaN), and of one whose error reaches none of them.
std::string number_with_error(double value, const std::string& unit, double error, int digits = 10);

std::string error_in_words(double error);  // "2e-5"; "0.03"

}  // namespace armature::internal::cli
