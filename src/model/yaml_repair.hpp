// Traps of YAML that pass its parser without a word.
#pragma once

#include "model/yaml_tree.hpp"

namespace armature::internal {

// {f: if(x > 0, -F, 0)} arrives as three keys f, "-F" and "0)"; in a list it arrives as three items. Reports it
// and puts the formula together again, so that nothing else is reported about its pieces.
void join_split_formulas(YamlNode& node, const std::string& path, Diagnostics& diagnostics);

// A key that stands twice: reports it and keeps the first.
void drop_duplicate_keys(YamlNode& node, const std::string& path, Diagnostics& diagnostics);

// "joints.elbow1" from "joints" and "elbow1"
std::string dotted(const std::string& path, const std::string& key);

}  // namespace armature::internal
