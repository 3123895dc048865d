#include "live/requests.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "expression/number_text.hpp"
#include "record/json_text.hpp"

namespace armature::internal {

using Json = nlohmann::ordered_json;

Json json_body(const std::string& content_type, const std::string& body) {
  if (!content_type.starts_with("application/json")) throw FolderError(415, "the request is not JSON");
  Json json = parse_json(body);
  if (json.is_discarded() || !json.is_object()) throw FolderError(400, "the request is not an object of JSON");
  return json;
}

std::string text_in(const Json& body, const char* key) {
  const auto found = body.find(key);
  if (found == body.end()) throw FolderError(400, fmt::format("'{}' is missing in the request", key));
  if (!found->is_string())
    throw FolderError(400, fmt::format("'{}' in the request must be a text, not {}: {}", key, found->type_name(),
                                       json_text(*found, -1).substr(0, 40)));
  return *found;
}

std::vector<LiveEdit> edits_in(const Json& body) {
  std::vector<LiveEdit> edits;
  try {
    for (const Json& edit : body.value("edits", Json::array()))
      edits.push_back({edit.at("path").get<KeyPath>(), edit.at("value").get<std::string>()});
  } catch (const Json::exception&) {
    throw FolderError(400, "'edits' in the request must be a list of {path, value}");
  }
  return edits;
}

long number_of(const std::string& text) {
  const std::optional<long> number = read_integer<long>(text);
  if (!number || *number < 1) throw FolderError(400, fmt::format("'{}' is not the number of a run", text));
  return *number;
}

std::string sentence_of(int status) {
  switch (status) {
    case 404: return "there is nothing at this address";
    case 413: return fmt::format("the request is larger than {} MiB", largest_request >> 20);
    case 414: return "the address is too long";
    default: return fmt::format("the request cannot be understood (status {} of HTTP)", status);
  }
}

}  // namespace armature::internal
