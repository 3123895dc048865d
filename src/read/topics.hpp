// What designers look for by another word than a key: machine elements and tasks, each with how it is modeled, an example, a shipped
// model and a page. `armature format WORD` answers with them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace armature::internal {

struct Topic {
  std::string_view title;
  std::string_view words;    // separated by blanks: those that find it, in the singular
  std::string_view how;      // how it is modeled, in a sentence or two
  std::string_view example;  // a line of the model; empty: none
  std::string_view model;    // a shipped file that contains the example; empty: none
  std::string_view page;     // "docs/elements.md#belt"
};

std::span<const Topic> topics();

// Those that a word finds, whatever its case; "v-belts" is "v_belt".
std::vector<const Topic*> find_topics(const std::string& word);
std::vector<std::string> topic_words();

std::string topic_text(const Topic& topic);

}  // namespace armature::internal
