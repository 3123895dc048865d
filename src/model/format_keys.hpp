// The keys of the file format, each described once. The reader takes from these tables which keys a section knows, what
// each holds, its unit and its range; so does the reference of the format. Kinds of forces, drives and controllers bring their own
// tables (model/item.hpp); the sections that every file may have are in format_keys.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expression/syntax.hpp"

namespace armature::internal {

enum class Holds {
  number,     // a formula of one number
  vector,     // a formula of three numbers
  any_value,  // a formula of one or several numbers
  text,       // a word or a sentence
  list,       // [a, b], with rules of its own, said in `what`
  map,        // {a: …, b: …}
};

enum class ValueRange { any, positive, not_negative };

using Words = std::span<const std::string_view>;

struct KeySpec {
  std::string_view name;
  std::string_view what;  // what it is, in a few words
  Holds holds = Holds::map;
  std::string_view unit = "";      // "kg*m^2"; "N*m or N": of an angle or of a length; "": any; "1": no dimension
  std::string_view fallback = "";  // taken if the key is missing; "required": it may not be missing
  ValueRange range = ValueRange::any;
  bool moves = false;  // may use t and what moves
  Words words = {};    // a text: the words it may be; none: any
};

using KeyTable = std::span<const KeySpec>;

struct FormatSection {
  std::string_view name;  // "joints: revolute"
  std::string_view what;
  KeyTable keys;
};

// For tables of keys: the words in which they are written.
namespace keys {
using enum Holds;
using enum ValueRange;
inline constexpr bool moves = true;

// A key that is one of some words.
constexpr KeySpec word(std::string_view name, std::string_view what, Words words, std::string_view fallback) {
  return {name, what, text, "", fallback, any, false, words};
}
}  // namespace keys

// All sections but those of kinds, in the order of the reference.
std::span<const FormatSection> fixed_sections();
KeyTable keys_of(std::string_view section);  // of one of these

// "xy, xz or yz: all motion is parallel to this plane": the words that it may be, and what it is.
std::string meaning(const KeySpec& spec);

const KeySpec* find_key(KeyTable table, std::string_view name);
std::vector<std::string> key_names(KeyTable table);

// The dimension that a key's unit asks for; for "N*m or N" the first of an angle, the second of a length.
std::optional<Dimension> dimension_of(const KeySpec& spec, bool of_length = false);

}  // namespace armature::internal
