#include "record/json_text.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace armature::internal {

std::string json_text(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

// The parser is compiled here and nowhere else.
nlohmann::ordered_json parse_json(const std::string& text) {
  return nlohmann::ordered_json::parse(text, nullptr, false);
}

nlohmann::ordered_json number_or_null(double x) { return std::isfinite(x) ? nlohmann::ordered_json(x) : nullptr; }

}  // namespace armature::internal
