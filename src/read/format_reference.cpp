#include "read/format_reference.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "control/controller_kinds.hpp"
#include "drive/drive_kinds.hpp"
#include "force/force_kinds.hpp"
#include "model/joint_kinds.hpp"
#include "read/clearance.hpp"

namespace armature::internal {
namespace {

// The kinds of a section, then the maps inside their items, each once.
template <class Kind>
void add_kinds(std::span<const Kind* const> kinds, std::vector<FormatSection>& sections) {
  for (const Kind* kind : kinds) sections.push_back(kind->format());
  const auto known = [&](std::string_view name) {
    return std::ranges::any_of(sections, [&](const FormatSection& section) { return section.name == name; });
  };
  for (const Kind* kind : kinds)
    for (const FormatSection& map : kind->maps())
      if (!known(map.name)) sections.push_back(map);
}

std::vector<FormatSection> all_sections() {
  std::vector<FormatSection> sections;
  for (const FormatSection& section : fixed_sections()) {
    if (section.name == "lagrangian")
      for (const FormatSection& clearance : clearance_sections()) sections.push_back(clearance);
    if (section.name == "inverse") {
      add_kinds(force_kinds(), sections);
      add_kinds(drive_kinds(), sections);
      add_kinds(controller_kinds(), sections);
    }
    sections.push_back(section);
  }
  return sections;
}

std::string_view holds_in_words(Holds holds) {
  switch (holds) {
    case Holds::number: return "number";
    case Holds::vector: return "vector";
    case Holds::any_value: return "number or list";
    case Holds::text: return "text";
    case Holds::list: return "list";
    case Holds::map: break;
  }
  return "map";
}

std::string kind_in_words(const KeySpec& spec) {
  if (spec.words.empty()) return std::string(holds_in_words(spec.holds));
  return spec.words.front() == "true" ? "true or false" : "word";
}

std::string_view range_in_words(ValueRange range) {
  if (range == ValueRange::positive) return " (> 0)";
  return range == ValueRange::not_negative ? " (≥ 0)" : "";
}

std::string markdown_row(const KeySpec& spec) {
  return fmt::format("| `{}` | {}{}{} | {} | {} | {} |\n", spec.name, meaning(spec), range_in_words(spec.range),
                     spec.moves ? " *(may change)*" : "", kind_in_words(spec), spec.unit, spec.fallback);
}

std::string unit_in_words(const KeySpec& spec) {
  if (spec.unit.empty()) return "";
  return spec.unit == "1" ? ", no unit" : fmt::format(", {}", spec.unit);
}

std::string fallback_in_words(const KeySpec& spec) {
  if (spec.fallback.empty()) return "";
  return fmt::format("; {}{}", spec.fallback.starts_with("required") ? "" : "default: ", spec.fallback);
}

// Where the keys of a map are listed: in a section of the same name.
std::string keys_in_words(const KeySpec& spec, std::string_view section) {
  const bool listed = std::ranges::any_of(
      format_sections(), [&](const FormatSection& other) { return other.name == spec.name && other.name != section; });
  return spec.holds == Holds::map && section != "file" && listed ? fmt::format("; keys: armature format {}", spec.name)
                                                                 : "";
}

std::string text_rows(const KeySpec& spec, std::size_t width, std::string_view section) {
  return fmt::format("  {:<{}}  {}{}\n  {:<{}}  {}{}\n", spec.name, width, meaning(spec), range_in_words(spec.range),
                     "", width, value_in_words(spec), keys_in_words(spec, section));
}

// "joints", "one axis" of "joints: one axis".
std::pair<std::string_view, std::string_view> kind_and_type(std::string_view name) {
  const std::size_t colon = name.find(": ");
  if (colon == std::string_view::npos) return {name, ""};
  return {name.substr(0, colon), name.substr(colon + 2)};
}

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool contains_word(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  if (at == std::string_view::npos || word.empty()) return false;
  const std::size_t end = at + word.size();
  return (at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]));
}

// The words of a description, for the types that it lists ("revolute, prismatic, cylindrical, …").
bool describes(const FormatSection& section, std::string_view word) { return contains_word(section.what, word); }

bool has_name(const FormatSection& section, std::string_view name) {
  const auto [kind, type] = kind_and_type(section.name);
  return section.name == name || kind == name || type == name;
}

// What the joints of a section leave free, one line per joint.
std::string joint_lines(const FormatSection& section, const char* format) {
  std::string lines;
  for (const JointWords& words : joint_words())
    if (section_of(words) == section.name) lines += fmt::format(fmt::runtime(format), words.name, words.what);
  return lines;
}

template <typename Predicate>
std::vector<const FormatSection*> sections_where(Predicate holds) {
  std::vector<const FormatSection*> found;
  for (const FormatSection& section : format_sections())
    if (holds(section)) found.push_back(&section);
  return found;
}

}  // namespace

std::span<const FormatSection> format_sections() {
  static const std::vector<FormatSection> sections = all_sections();
  return sections;
}

KeyTable format_keys(std::string_view section) {
  for (const FormatSection& candidate : format_sections())
    if (candidate.name == section) return candidate.keys;
  return {};
}

std::string format_markdown(const FormatSection& section) {
  const std::string joints = joint_lines(section, "- `{}` {}\n");
  std::string page = fmt::format("### `{}`\n{}\n| key | what it is | holds | unit | default |\n|---|---|---|---|---|\n",
                                 section.name, joints.empty() ? fmt::format("{}\n", section.what) : "\n" + joints);
  for (const KeySpec& spec : section.keys) page += markdown_row(spec);
  return page;
}

std::string value_in_words(const KeySpec& spec) {
  return fmt::format("{}{}{}{}", kind_in_words(spec), unit_in_words(spec),
                     spec.moves ? ", may change with t and the motion" : "", fallback_in_words(spec));
}

std::string format_text(const FormatSection& section) {
  std::size_t width = 0;
  for (const KeySpec& spec : section.keys) width = std::max(width, spec.name.size());
  std::string page = fmt::format("{} ({})\n", section.name, section.what) + joint_lines(section, "  {} {}\n");
  for (const KeySpec& spec : section.keys) page += text_rows(spec, width, section.name);
  return page;
}

std::vector<const FormatSection*> find_format_sections(std::string_view name) {
  const auto by_name = sections_where([&](const FormatSection& section) { return has_name(section, name); });
  if (!by_name.empty()) return by_name;
  return sections_where([&](const FormatSection& section) {
    return section.name.starts_with("joints") && describes(section, name);  // types of joints share tables
  });
}

std::vector<const FormatSection*> format_sections_with_key(std::string_view key) {
  return sections_where([&](const FormatSection& section) { return find_key(section.keys, key) != nullptr; });
}

std::vector<FormatMention> format_mentions(std::string_view word) {
  std::vector<FormatMention> mentions;
  for (const FormatSection& section : format_sections())
    for (const KeySpec& spec : section.keys)
      if (contains_word(spec.what, word)) mentions.push_back({&section, &spec});
  return mentions;
}

std::vector<std::string> format_names() {
  std::set<std::string> names;
  for (const FormatSection& section : format_sections()) {
    const auto [kind, type] = kind_and_type(section.name);
    names.emplace(kind);
    if (!type.empty()) names.emplace(type);
    for (const KeySpec& spec : section.keys) names.emplace(spec.name);
  }
  for (const std::string_view type : find_key(keys_of("joints: no axis"), "type")->words) names.emplace(type);
  return {names.begin(), names.end()};
}

}  // namespace armature::internal
