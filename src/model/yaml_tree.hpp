// A YAML file as a tree that keeps what the reader needs to explain mistakes: the line of every value, every key even
// when it stands twice, and whether a text was quoted. Built from the parser's events, since yaml-cpp's nodes forget
// these.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "expression/syntax.hpp"
#include "model/diagnostics.hpp"

namespace armature::internal {

// Loop variables of `for` and what they stand for in one turn of the loop.
using LoopValues = std::map<std::string, Formula>;

struct YamlEntry;

struct YamlNode {
  enum class Kind { null, text, list, map } kind = Kind::null;
  std::string text;
  bool quoted = false;
  Location where;
  std::vector<YamlNode> items;     // of a list
  std::vector<YamlEntry> entries;  // of a map, in the order of the file
  std::shared_ptr<const LoopValues> loop;

  bool is_text() const { return kind == Kind::text; }
  bool is_list() const { return kind == Kind::list; }
  bool is_map() const { return kind == Kind::map; }
  const YamlNode* find(const std::string& key) const;
  YamlNode* find(const std::string& key);
};

struct YamlEntry {
  std::string key;
  Location where;
  YamlNode value;
};

// "a text", "a list", "a map", "nothing": for messages.
std::string kind_in_words(const YamlNode& node);

std::size_t size_of(const YamlNode& node);  // values, with those that it holds

void set_entry(YamlNode& map, const std::string& key, const YamlNode& value);  // in place of what it has there

// The one document of a file. What is wrong with it as YAML goes to the diagnostics: syntax, keys that stand twice,
// formulas that their commas have split. A syntax error leaves a null node. `file`: of all places (Location::file).
YamlNode parse_yaml(const std::string& text, Diagnostics& diagnostics, int file = 0);

}  // namespace armature::internal
