// JSON as a text. A byte that is not UTF-8, in a comment of the model or in a path, is written as U+FFFD: it must not cost
// what was computed.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace armature::internal {

std::string json_text(const nlohmann::ordered_json& json, int indent = 2);  // -1: all in one line

nlohmann::ordered_json parse_json(const std::string& text);  // is_discarded(): it is no JSON

nlohmann::ordered_json number_or_null(double x);  // null: not finite

}  // namespace armature::internal
