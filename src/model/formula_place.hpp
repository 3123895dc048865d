// Where in the file a part of a formula stands. A formula knows its first line and counts columns from there as if all
// of it stood in one line; in the file it may be folded over several.
#pragma once

#include <string>
#include <vector>

#include "expression/syntax.hpp"

namespace armature::internal {

// `text`: the model's own file. Places in files that it uses stay as they are.
Location place_in_file(const std::string& text, Location where);

// Where the lines of a file begin: found once, since every formula of it asks.
class LineStarts {
 public:
  void read(const std::string& text);
  // The first character of a formula whose value begins at `where`: behind a quote. `text`: the file that was read.
  Location first_character(const std::string& text, Location where) const;

 private:
  std::vector<std::size_t> starts_;  // of the lines
};

}  // namespace armature::internal
