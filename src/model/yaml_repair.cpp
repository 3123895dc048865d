#include "model/yaml_repair.hpp"

#include <fmt/format.h>

namespace armature::internal {
namespace {

// Parentheses and brackets that a text leaves open.
int open_count(const std::string& text) {
  int open = 0;
  for (char c : text) open += (c == '(' || c == '[') - (c == ')' || c == ']');
  return open;
}

bool may_be_split(const YamlNode& node) { return node.is_text() && !node.quoted && open_count(node.text) > 0; }

void report(const YamlNode& node, const std::string& path, Diagnostics& diagnostics) {
  diagnostics.add(node.where, path, fmt::format("a comma split this formula; put it in quotes: \"{}\"", node.text));
}

// The entries after `at` that hold only a key complete its formula.
void join_entries(YamlNode& map, std::size_t at, const std::string& path, Diagnostics& diagnostics) {
  YamlNode& value = map.entries[at].value;
  std::size_t next = at + 1;
  std::string joined = value.text;
  while (next < map.entries.size() && open_count(joined) > 0 && map.entries[next].value.kind == YamlNode::Kind::null)
    joined += ", " + map.entries[next++].key;
  if (next == at + 1) return;
  value.text = joined;
  report(value, dotted(path, map.entries[at].key), diagnostics);
  map.entries.erase(map.entries.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                    map.entries.begin() + static_cast<std::ptrdiff_t>(next));
}

void join_items(YamlNode& list, std::size_t at, const std::string& path, Diagnostics& diagnostics) {
  YamlNode& value = list.items[at];
  std::size_t next = at + 1;
  std::string joined = value.text;
  while (next < list.items.size() && open_count(joined) > 0 && list.items[next].is_text())
    joined += ", " + list.items[next++].text;
  if (next == at + 1) return;
  value.text = joined;
  report(value, path, diagnostics);
  list.items.erase(list.items.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                   list.items.begin() + static_cast<std::ptrdiff_t>(next));
}

}  // namespace

std::string dotted(const std::string& path, const std::string& key) { return path.empty() ? key : path + "." + key; }

void join_split_formulas(YamlNode& node, const std::string& path, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < node.entries.size(); ++i) {
    if (may_be_split(node.entries[i].value)) join_entries(node, i, path, diagnostics);
    join_split_formulas(node.entries[i].value, dotted(path, node.entries[i].key), diagnostics);
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (may_be_split(node.items[i])) join_items(node, i, path, diagnostics);
    join_split_formulas(node.items[i], path, diagnostics);
  }
}

void drop_duplicate_keys(YamlNode& node, const std::string& path, Diagnostics& diagnostics) {
  std::map<std::string, int> first_line;
  std::vector<YamlEntry> kept;
  for (YamlEntry& entry : node.entries) {
    const std::string key = dotted(path, entry.key);
    const auto [place, is_new] = first_line.emplace(entry.key, entry.where.line);
    if (!is_new) {
      diagnostics.add(entry.where, key, fmt::format("is given twice; first in line {}", place->second));
      continue;
    }
    drop_duplicate_keys(entry.value, key, diagnostics);
    kept.push_back(std::move(entry));
  }
  node.entries = std::move(kept);
  for (YamlNode& item : node.items) drop_duplicate_keys(item, path, diagnostics);
}

}  // namespace armature::internal
