#include "gallery/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace armature::internal::gallery {

double Written::last_digit() const {
  const std::size_t e = digits.find_first_of("eE");
  const int exponent = e == std::string::npos ? 0 : std::stoi(digits.substr(e + 1));
  const std::string mantissa = digits.substr(0, e);
  const std::size_t point = mantissa.find('.');
  const int decimals = point == std::string::npos ? 0 : static_cast<int>(mantissa.size() - point - 1);
  return std::pow(10.0, exponent - decimals);
}

std::optional<Written> written_number(const YamlNode& node) {
  Written result;
  if (!node.is_text()) return {};
  const char *begin = node.text.data(), *end = begin + node.text.size();
  const auto [stop, error] = std::from_chars(begin + (node.text.starts_with('+') ? 1 : 0), end, result.value);
  if (error != std::errc() || stop != end) return {};
  result.digits = node.text;
  return result;
}

Fields::Fields(const YamlNode& node, std::string path, const std::vector<std::string>& keys, Diagnostics& diagnostics)
    : node_(node), path_(std::move(path)), diagnostics_(diagnostics) {
  if (!node.is_map()) {
    diagnostics_.add(node.where, path_, fmt::format("expected a map, found {}", kind_in_words(node)));
    return;
  }
  for (const YamlEntry& entry : node.entries)
    if (std::ranges::find(keys, entry.key) == keys.end())
      diagnostics_.add(entry.where, this->path(entry.key),
                       fmt::format("unknown key{}; expected {}", did_you_mean(entry.key, keys), one_of(keys)));
}

void Fields::complain(const std::string& key, const std::string& message) const {
  const YamlNode* node = find(key);
  diagnostics_.add(node ? node->where : node_.where, path(key), message);
}

std::string Fields::text(const std::string& key, bool required) const {
  const YamlNode* node = find(key);
  if (node && node->is_text()) return node->text;
  if (node) complain(key, fmt::format("expected a text, found {}", kind_in_words(*node)));
  if (!node && required) complain(key, "is missing");
  return {};
}

std::optional<Written> Fields::written(const std::string& key) const {
  const YamlNode* node = find(key);
  if (!node) return {};
  const auto number = written_number(*node);
  if (!number) complain(key, "expected a number");
  return number;
}

std::optional<double> Fields::number(const std::string& key) const {
  const auto number = written(key);
  return number ? std::optional(number->value) : std::nullopt;
}

bool Fields::flag(const std::string& key) const {
  const std::string word = text(key);
  if (!word.empty() && word != "true" && word != "false") complain(key, "expected true or false");
  return word == "true";
}

std::vector<std::string> Fields::texts(const std::string& key) const {
  const YamlNode* node = find(key);
  if (!node) return {};
  if (node->is_text()) return {node->text};
  std::vector<std::string> list;
  for (const YamlNode& item : node->items)
    if (item.is_text()) list.push_back(item.text);
  if (!node->is_list() || list.size() != node->items.size()) complain(key, "expected a text or a list of texts");
  return list;
}

std::vector<double> Fields::numbers(const std::string& key) const {
  const YamlNode* node = find(key);
  if (!node) return {};
  std::vector<double> list;
  for (const YamlNode& item : node->items)
    if (const auto number = written_number(item)) list.push_back(number->value);
  if (!node->is_list() || list.size() != node->items.size()) complain(key, "expected a list of numbers");
  return list;
}

const std::vector<YamlNode>& Fields::items(const std::string& key) const {
  static const std::vector<YamlNode> none;
  const YamlNode* node = find(key);
  if (!node) return none;
  if (!node->is_list()) complain(key, fmt::format("expected a list, found {}", kind_in_words(*node)));
  return node->items;
}

}  // namespace armature::internal::gallery
