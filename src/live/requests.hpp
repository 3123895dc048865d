// What a request to the page's server is about, or a sentence why it is about nothing. Throws FolderError.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "live/live_run.hpp"

namespace armature::internal {

constexpr std::size_t largest_request = 8 << 20;  // bytes

nlohmann::ordered_json json_body(const std::string& content_type, const std::string& body);  // an object
std::string text_in(const nlohmann::ordered_json& body, const char* key);
std::vector<LiveEdit> edits_in(const nlohmann::ordered_json& body);
long number_of(const std::string& text);  // of a run

std::string sentence_of(int status);  // of HTTP, for what no route has answered

}  // namespace armature::internal
