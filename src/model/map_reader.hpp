// A map of the file read by the table of its keys: unknown and missing keys are reported when it is made, values by the
// description of their key.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/reading.hpp"

namespace armature::internal {

class MapReader {
 public:
  // A node that is not a map is reported and read as an empty map, of which nothing is required.
  MapReader(const YamlNode& node, KeyTable table, const std::string& path, Reading& reading);

  Location where() const { return node_.where; }
  std::string path(const std::string& key) const;
  const YamlNode* find(const std::string& key) const { return node_.find(key); }
  bool has(const std::string& key) const { return find(key) != nullptr; }
  bool misspelt(const std::string& key) const { return misspelt_.contains(key); }  // and reported: it is not missing

  // Not given if the key is missing. The formula is checked later, by its key's description.
  Formula formula(const std::string& key, bool of_length = false) const;
  Formula axis(const std::string& key) const;
  std::optional<double> constant(const std::string& key) const;
  std::optional<std::string> text(const std::string& key) const;
  std::optional<bool> flag(const std::string& key) const;  // true or false

  // One of the words of the key; what else stands there is reported with them.
  std::optional<std::string> choice(const std::string& key) const;
  // The two entries of a list [a, b], or null and a report.
  const YamlNode* pair(const std::string& key) const;

 private:
  const KeySpec& spec(const std::string& key) const;
  void report_unknown(const YamlEntry& entry) const;

  const YamlNode& node_;
  KeyTable table_;
  std::string path_;
  Reading& reading_;
  std::set<std::string> misspelt_;  // keys that unknown ones are probably meant to be
};

}  // namespace armature::internal
