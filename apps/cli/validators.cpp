#include "validators.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

namespace armature::internal::cli {
namespace {

// The number that is all of the text.
std::optional<double> number_of(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool fits = end != text.c_str() && *end == '\0' && std::isfinite(value);
  return fits ? std::optional(value) : std::nullopt;
}

std::optional<long> whole_number_of(const std::string& text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

}  // namespace

const CLI::Validator positive(
    [](std::string& text) {
      const auto value = number_of(text);
      return value && *value > 0 ? std::string() : fmt::format("'{}' is not a number greater than zero", text);
    },
    "");

const CLI::Validator whole(
    [](std::string& text) {
      const auto value = whole_number_of(text);
      const bool fits = value && *value > 0 && *value <= std::numeric_limits<int>::max();
      return fits ? std::string() : fmt::format("'{}' is not a whole number greater than zero", text);
    },
    "");

CLI::Validator whole_between(long low, long high) {
  return {[low, high](std::string& text) {
            const auto value = whole_number_of(text);
            return value && *value >= low && *value <= high
                       ? std::string()
                       : fmt::format("'{}' is not a whole number from {} to {}", text, low, high);
          },
          ""};
}

CLI::Validator between(double low, double high) {
  return {[low, high](std::string& text) {
            const auto value = number_of(text);
            return value && *value >= low && *value <= high
                       ? std::string()
                       : fmt::format("'{}' is not a number from {:g} to {:g}", text, low, high);
          },
          ""};
}

}  // namespace armature::internal::cli
