#include "read/text_edit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace armature::internal {
namespace {

struct Span {
  std::size_t begin = 0, end = 0;
};

// Lines and columns count bytes from 1, as the parser does.
std::size_t offset_of(const std::string& text, Location where) {
  std::size_t at = 0;
  for (int line = 1; line < where.line; ++line) {
    const auto end = text.find('\n', at);
    if (end == std::string::npos) return text.size();
    at = end + 1;
  }
  return std::min(text.size(), at + static_cast<std::size_t>(std::max(where.column - 1, 0)));
}

std::string name_of(const KeyPath& path) { return fmt::format("{}", fmt::join(path, ".")); }

// Behind the quote that ends what begins at `at`.
std::size_t end_of_quoted(const std::string& text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size(); ++at) {
    const bool escapes = text[at] == '\\' && quote == '"';
    const bool doubled = text[at] == quote && quote == '\'' && at + 1 < text.size() && text[at + 1] == quote;
    if (escapes || doubled)
      ++at;
    else if (text[at] == quote)
      return at + 1;
  }
  throw EditError("the file ends inside quotes");
}

bool begins_comment(const std::string& text, std::size_t at) {
  return text[at] == '#' && at > 0 && std::string_view(" \t\n").find(text[at - 1]) != std::string_view::npos;
}

// Behind the bracket that closes the one at `at`.
std::size_t end_of_brackets(const std::string& text, std::size_t at) {
  int depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (begins_comment(text, at)) {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (c == '"' || c == '\'') {
      at = end_of_quoted(text, at);
      continue;
    }
    depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    ++at;
    if (depth == 0) return at;
  }
  throw EditError("the file ends inside brackets");
}

Span span_of(const std::string& text, const YamlNode& node) {
  const std::size_t begin = offset_of(text, node.where);
  if (begin >= text.size()) throw EditError("has no value in the file");
  if (node.is_text() && node.quoted && (text[begin] == '"' || text[begin] == '\''))
    return {begin, end_of_quoted(text, begin)};
  if (node.is_text() && !node.quoted && text.compare(begin, node.text.size(), node.text) == 0)
    return {begin, begin + node.text.size()};
  if ((node.is_list() && text[begin] == '[') || (node.is_map() && text[begin] == '{'))
    return {begin, end_of_brackets(text, begin)};
  throw EditError("is written over several lines: change it in the text");
}

bool is_flow_map(const std::string& text, const YamlNode& node) {
  const std::size_t begin = offset_of(text, node.where);
  return begin < text.size() && text[begin] == '{';
}

// As YAML must see it: signs that would end or split a value, or mean something at its beginning, ask for quotes.
bool needs_quotes(const std::string& value) {
  const std::string_view opening = "-?:&*!|>%@`'\"#";
  if (value.find_first_of(",[]{}#\"\\") != std::string::npos || value.find(": ") != std::string::npos) return true;
  if (value.front() == ' ' || value.back() == ' ' || value.back() == ':') return true;
  const bool negative = value.size() > 1 && value[0] == '-' && value[1] != ' ';
  return !negative && opening.find(value.front()) != std::string_view::npos;
}

std::string scalar(const std::string& value) {
  if (value.starts_with("[") || value.starts_with("{") || !needs_quotes(value)) return value;
  std::string quoted = "\"";
  for (char c : value) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

YamlNode parse(const std::string& text) {
  Diagnostics diagnostics("");
  YamlNode root = parse_yaml(text, diagnostics);
  if (!diagnostics.empty() || !root.is_map()) throw EditError("correct the errors in the file first");
  return root;
}

std::string inserted(const std::string& text, const YamlNode& map, const std::string& key, const std::string& value) {
  std::string result = text;
  if (is_flow_map(text, map)) {
    result.insert(offset_of(text, map.where) + 1, key + ": " + value + (map.entries.empty() ? "" : ", "));
  } else {
    const Location first = map.entries.front().where;
    const std::string indent(static_cast<std::size_t>(first.column - 1), ' ');
    result.insert(offset_of(text, first), key + ": " + value + "\n" + indent);
  }
  return result;
}

std::string added(const std::string& text, const YamlNode& root, const KeyPath& path, const std::string& value) {
  const KeyPath parent(path.begin(), path.end() - 1);
  const YamlNode* map = node_at(root, parent);
  if (map && map->is_map() && (!map->entries.empty() || is_flow_map(text, *map)))
    return inserted(text, *map, path.back(), value);
  if (map || path.size() != 2) throw EditError("the file has no place for it: write it there");
  const bool ends = text.empty() || text.back() == '\n';
  return text + (ends ? "" : "\n") + fmt::format("\n{}: {{{}: {}}}\n", path[0], path[1], value);
}

// The edit did what was meant, and nothing has come apart.
void require_value(const std::string& text, const KeyPath& path, const std::string& value) {
  const YamlNode root = parse(text);
  const YamlNode* node = node_at(root, path);
  const bool brackets = value.starts_with("[") || value.starts_with("{");
  if (!node || (brackets ? node->is_text() : node->text != value))
    throw EditError("this value cannot be written there");
}

const YamlEntry* entry_at(const YamlNode& root, const KeyPath& path) {
  const YamlNode* map = node_at(root, KeyPath(path.begin(), path.end() - 1));
  if (!map) return nullptr;
  const auto found = std::ranges::find(map->entries, path.back(), &YamlEntry::key);
  return found == map->entries.end() ? nullptr : &*found;
}

// From the key to the value's end and the comma that goes with it, or whole lines.
Span entry_span(const std::string& text, const YamlEntry& entry, bool flow) {
  Span span{offset_of(text, entry.where), span_of(text, entry.value).end};
  if (!flow) {
    const auto line = text.rfind('\n', span.begin);
    span.begin = line == std::string::npos ? 0 : line + 1;
    span.end = std::min(text.find('\n', span.end), text.size() - 1) + 1;
    return span;
  }
  const auto next = text.find_first_not_of(" \t\n", span.end);
  if (next != std::string::npos && text[next] == ',') {
    span.end = std::min(text.find_first_not_of(" \t", next + 1), text.size());
    return span;
  }
  const auto before = text.find_last_not_of(" \t\n", span.begin - 1);
  if (before != std::string::npos && text[before] == ',') span.begin = before;
  return span;
}

}  // namespace

const YamlNode* node_at(const YamlNode& root, const KeyPath& path) {
  const YamlNode* node = &root;
  for (const std::string& key : path) {
    if (node->is_list()) {
      const bool number =
          !key.empty() && key.size() < 6 && std::ranges::all_of(key, [](char c) { return c >= '0' && c <= '9'; });
      const std::size_t index = number ? std::stoul(key) : node->items.size();
      node = index < node->items.size() ? &node->items[index] : nullptr;
    } else {
      node = node->find(key);
    }
    if (!node) return nullptr;
  }
  return node;
}

std::string written_value(const std::string& text, const YamlNode& node) {
  const Span span = span_of(text, node);
  return text.substr(span.begin, span.end - span.begin);
}

std::string set_value(const std::string& text, const KeyPath& path, const std::string& value) {
  try {
    if (path.empty()) throw EditError("the name of a value is missing");
    if (value.find_first_not_of(' ') == std::string::npos) throw EditError("the field is empty: write a value");
    if (value.find_first_of("\r\n\t") != std::string::npos) throw EditError("a value must fit on one line");
    const YamlNode root = parse(text);
    const YamlNode* node = node_at(root, path);
    std::string result = text;
    if (node) {
      const Span span = span_of(text, *node);
      result.replace(span.begin, span.end - span.begin, scalar(value));
    } else {
      result = added(text, root, path, scalar(value));
    }
    require_value(result, path, value);
    return result;
  } catch (const EditError& error) {
    throw EditError(fmt::format("{}: {}", name_of(path), error.what()));
  }
}

std::string remove_value(const std::string& text, const KeyPath& path) {
  const YamlNode root = parse(text);
  const YamlEntry* entry = path.empty() ? nullptr : entry_at(root, path);
  if (!entry) return text;
  try {
    const YamlNode& map = *node_at(root, KeyPath(path.begin(), path.end() - 1));
    if (map.entries.size() == 1 && !is_flow_map(text, map)) throw EditError("it is the only entry of its section");
    const Span span = entry_span(text, *entry, is_flow_map(text, map));
    std::string result = text;
    result.erase(span.begin, span.end - span.begin);
    const YamlNode after = parse(result);
    if (node_at(after, path)) throw EditError("it cannot be removed");
    return result;
  } catch (const EditError& error) {
    throw EditError(fmt::format("{}: {}", name_of(path), error.what()));
  }
}

}  // namespace armature::internal
