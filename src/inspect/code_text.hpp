// A user's text inside code that Armature writes. It is data there: it cannot end the comment or the string that holds it.
#pragma once

#include <string>

namespace armature::internal {

std::string one_line(const std::string& text);            // for a comment that ends with its line
std::string c_comment_text(const std::string& text);      // between /* and */
std::string c_string_text(const std::string& text);       // between double quotes
std::string python_string_text(const std::string& text);  // between double quotes, also three of them

}  // namespace armature::internal
