// Where in the file a part of a formula stands. A formula knows its first line and counts columns from there as if all
// of it stood in one line; in the file it may be folded over several.
#pragma once

#include <string>

#include "expression/syntax.hpp"

namespace armature {

// `text`: the file.
Location place_in_file(const std::string& text, Location where);

// The first character of a formula whose value begins at `where`: behind a quote.
Location first_character(const std::string& text, Location where);

}  // namespace armature
