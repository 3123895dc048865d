#include "model/map_reader.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "expression/lower.hpp"
#include "model/yaml_repair.hpp"

namespace armature::internal {

MapReader::MapReader(const YamlNode& node, KeyTable table, const std::string& path, Reading& reading)
    : node_(node), table_(table), path_(path), reading_(reading) {
  if (!node.is_map() && node.kind != YamlNode::Kind::null) {
    reading.diagnostics.add(
        node.where, path,
        fmt::format("expected a map with keys such as '{}', not {}", table[0].name, kind_in_words(node)));
    return;
  }
  // A key that is missing because it is misspelt is reported once, where it is misspelt.
  for (const YamlEntry& entry : node.entries) {
    if (find_key(table, entry.key)) continue;
    report_unknown(entry);
    if (const auto near = nearest_name(entry.key, key_names(table))) misspelt_.insert(*near);
  }
  for (const KeySpec& spec : table)
    if (spec.fallback == "required" && !has(std::string(spec.name)) && !misspelt(std::string(spec.name)))
      reading.diagnostics.add(node.where, path, fmt::format("'{}' is missing ({})", spec.name, meaning(spec)));
}

void MapReader::report_unknown(const YamlEntry& entry) const {
  const bool empty = entry.value.kind == YamlNode::Kind::null;
  const std::string advice = empty ? did_you_mean(entry.key, key_names(table_)) +
                                         "; if it is a piece of a formula with a comma, put the formula in quotes"
                                   : near_or_all(entry.key, key_names(table_));
  reading_.diagnostics.add_cause(entry.where, path(entry.key), "unknown key" + advice);
}

std::string MapReader::path(const std::string& key) const { return dotted(path_, key); }

const KeySpec& MapReader::spec(const std::string& key) const {
  const KeySpec* spec = find_key(table_, key);
  assert(spec != nullptr);
  return *spec;
}

Formula MapReader::formula(const std::string& key, bool of_length) const {
  const YamlNode* node = find(key);
  if (!node) return {};
  const Formula formula = read_formula(*node, path(key), reading_);
  reading_.check_later(formula, path(key), spec(key), of_length);
  return formula;
}

Formula MapReader::axis(const std::string& key) const {
  const YamlNode* node = find(key);
  if (!node) return {};
  const Formula formula = read_axis(*node, path(key), reading_);
  reading_.check_later(formula, path(key), spec(key));
  return formula;
}

std::optional<double> MapReader::constant(const std::string& key) const {
  const YamlNode* node = find(key);
  return node ? read_constant(*node, path(key), spec(key), reading_) : std::nullopt;
}

std::optional<std::string> MapReader::text(const std::string& key) const {
  const YamlNode* node = find(key);
  return node ? read_text(*node, path(key), reading_) : std::nullopt;
}

std::optional<bool> MapReader::flag(const std::string& key) const {
  const YamlNode* node = find(key);
  if (!node) return std::nullopt;
  if (node->is_text() && node->text == "true") return true;
  if (node->is_text() && node->text == "false") return false;
  reading_.diagnostics.add(node->where, path(key), fmt::format("write true or false, not {}", kind_in_words(*node)));
  return std::nullopt;
}

std::optional<std::string> MapReader::choice(const std::string& key) const {
  const std::vector<std::string> words(spec(key).words.begin(), spec(key).words.end());
  const std::optional<std::string> word = text(key);
  if (!word || std::find(words.begin(), words.end(), *word) != words.end()) return word;
  const std::string hint = did_you_mean(*word, words);
  reading_.diagnostics.add(find(key)->where, path(key),
                           hint.empty() ? fmt::format("'{}' is not one of {}", *word, one_of(words))
                                        : fmt::format("unknown word '{}'{}", *word, hint));
  return std::nullopt;
}

const YamlNode* MapReader::pair(const std::string& key) const {
  const YamlNode* node = find(key);
  if (!node) return nullptr;
  if (node->is_list() && node->items.size() == 2) return node;
  reading_.diagnostics.add(node->where, path(key), "expected two entries in a list: [a, b]");
  return nullptr;
}

}  // namespace armature::internal
