// Brackets and quotes of a YAML text up to a place: where the parser gives up, most often.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.hpp"

namespace armature::internal {

inline constexpr std::string_view yaml_spaces = " \t\r";

struct YamlBracket {
  char sign;
  Location where;
};

struct YamlScan {
  std::vector<YamlBracket> open;         // the outermost first
  std::optional<YamlBracket> misplaced;  // the first bracket whose partner begins a line with another indent
  std::optional<Location> open_quote;
  std::optional<Location> long_quote;  // open where the last line begins
  std::vector<bool> is_inside;         // of each line: it begins inside brackets or quotes
};

YamlScan scan_yaml(const std::string& text, Location until);

}  // namespace armature::internal
