// `for`: one entry of the file that stands for several.
//
//   crank{i}: {for: {i: 1..3, volts: [5, -5, 5]}, …}
//
// makes crank1, crank2, crank3. Lists, parameters that are lists (l: lengths) and ranges run side by side. {i}, {i+1} in names and texts become whole numbers
// (or the word that a list holds); in formulas the variables have their values.
#pragma once

#include <string>
#include <vector>

#include "model/reading.hpp"

namespace armature::internal {

// The entries of a map with every `for` carried out. An entry that holds only `for` and `is` becomes the value of `is`.
std::vector<YamlEntry> expanded_entries(const YamlNode& map, const std::string& path, Reading& reading);

}  // namespace armature::internal
