// Changes of a model file that touch nothing but the text of one value: comments, order and spaces stay as they are.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "model/yaml_tree.hpp"

namespace armature::internal {

using KeyPath = std::vector<std::string>;  // keys of maps, numbers of list entries: {"start", "keep", "theta1"}

// Why a value cannot be changed: a sentence.
struct EditError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The node at the end of a path; null: there is none.
const YamlNode* node_at(const YamlNode& root, const KeyPath& path);

// The value of a node as the file writes it. Throws EditError for what is spread over several lines.
std::string written_value(const std::string& text, const YamlNode& node);

// The value takes the place of the old one, or is added to its map. Throws EditError.
std::string set_value(const std::string& text, const KeyPath& path, const std::string& value);

// The key goes with its value; nothing happens where it does not stand. Throws EditError.
std::string remove_value(const std::string& text, const KeyPath& path);

}  // namespace armature::internal
