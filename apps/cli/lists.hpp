// Lists on the command line: "a,b,c" and "0.5:20:40".
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace armature::internal::cli {

std::vector<std::string> split_list(const std::string& text, char separator = ',');  // without blanks around the parts

// FROM:TO:COUNT, both ends included; FROM and TO are formulas, by default without names ("2*pi"). Throws UsageError.
using NumberReader = std::function<double(const std::string& text)>;  // throws FormulaError
double plain_number(const std::string& text);
std::vector<double> range(const std::string& text, const std::string& option,
                          const NumberReader& number = plain_number);

}  // namespace armature::internal::cli
