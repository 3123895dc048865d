#include "live/format_json.hpp"

#include <nlohmann/json.hpp>

#include "read/format_reference.hpp"

namespace armature::internal {

nlohmann::ordered_json format_json() {
  auto sections = nlohmann::ordered_json::array();
  for (const FormatSection& section : format_sections()) {
    auto keys = nlohmann::ordered_json::array();
    for (const KeySpec& spec : section.keys)
      keys.push_back({{"name", spec.name},
                      {"what", meaning(spec)},
                      {"value", value_in_words(spec)},
                      {"words", std::vector<std::string>(spec.words.begin(), spec.words.end())}});
    sections.push_back({{"name", section.name}, {"what", section.what}, {"keys", keys}});
  }
  return sections;
}

}  // namespace armature::internal
