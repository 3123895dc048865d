// A map of an entry's file: values by key, with everything that is wrong reported at its place.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/diagnostics.hpp"
#include "model/yaml_tree.hpp"

namespace armature::internal::gallery {

// A number with the digits it was written with.
struct Written {
  double value = 0;
  std::string digits;
  double last_digit() const;  // one unit of the last digit: 1e-3 of 2.345, 10 of 3.1e2
};

class Fields {
 public:
  // A node that is not a map, and keys other than these, are reported.
  Fields(const YamlNode& node, std::string path, const std::vector<std::string>& keys, Diagnostics& diagnostics);

  bool has(const std::string& key) const { return find(key) != nullptr; }
  const YamlNode* find(const std::string& key) const { return node_.is_map() ? node_.find(key) : nullptr; }
  Location where() const { return node_.where; }
  std::string path(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }
  void complain(const std::string& key, const std::string& message) const;

  std::string text(const std::string& key, bool required = false) const;  // empty: it is missing
  std::optional<Written> written(const std::string& key) const;
  std::optional<double> number(const std::string& key) const;
  bool flag(const std::string& key) const;
  // A list of texts; one text is a list of one.
  std::vector<std::string> texts(const std::string& key) const;
  std::vector<double> numbers(const std::string& key) const;
  const std::vector<YamlNode>& items(const std::string& key) const;  // of a list

 private:
  const YamlNode& node_;
  std::string path_;
  Diagnostics& diagnostics_;
};

std::optional<Written> written_number(const YamlNode& node);

}  // namespace armature::internal::gallery
