#include "report/page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "record/json_text.hpp"
#include "record/record_error.hpp"
#include "record/write_text.hpp"

namespace armature::internal {
namespace {

constexpr std::string_view place = "@ARMATURE_DOCUMENT@";  // in the page, where the document goes

// Inside <script> the characters "</" would end it; JSON may write < in digits.
std::string for_html(const nlohmann::ordered_json& document) {
  const std::string text = json_text(document, -1);
  std::string safe;
  safe.reserve(text.size());
  for (char c : text) {
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  }
  return safe;
}

}  // namespace

std::string page_text(const nlohmann::ordered_json& document, Page kind) {
  const std::string_view page = embedded_page(kind);
  const auto at = page.find(place);
  if (at == std::string_view::npos) return {};
  return std::string(page.substr(0, at)) + for_html(document) + std::string(page.substr(at + place.size()));
}

void write_page(const std::filesystem::path& file, const nlohmann::ordered_json& document, Page kind) {
  write_text(file, page_text(document, kind));
}

}  // namespace armature::internal
