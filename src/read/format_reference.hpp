// The reference of the file format, written from the tables by which files are read (model/format_keys.hpp, model/item.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/format_keys.hpp"

namespace armature::internal {

// All sections in the order of the reference; those of kinds come before `inverse`.
std::span<const FormatSection> format_sections();
KeyTable format_keys(std::string_view section);  // of any of them; empty: there is none

std::string format_markdown(const FormatSection& section);  // a heading and a table, as in docs/format.md
std::string format_text(const FormatSection& section);      // for a terminal: two lines a key
std::string value_in_words(const KeySpec& spec);  // "number, kg, may change with t and the motion; default: 1 kg"

// Sections of this name, of this kind ("joints"), of this type ("gear"), or that name it among what they describe ("revolute").
std::vector<const FormatSection*> find_format_sections(std::string_view name);

// Sections that have a key of this name.
std::vector<const FormatSection*> format_sections_with_key(std::string_view key);

// Keys whose description contains a word.
struct FormatMention {
  const FormatSection* section;
  const KeySpec* key;
};
std::vector<FormatMention> format_mentions(std::string_view word);

// Everything that find_format_sections() and format_sections_with_key() know, each once.
std::vector<std::string> format_names();

}  // namespace armature::internal
