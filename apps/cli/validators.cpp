#include "validators.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include "expression/number_text.hpp"

namespace armature::internal::cli {
namespace {

std::optional<double> number_of(const std::string& text) {
  const std::optional<double> value = read_number(text.starts_with('+') ? text.substr(1) : text);
  return value && std::isfinite(*value) ? value : std::nullopt;
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
      const auto value = read_integer<long>(text);
      const bool fits = value && *value > 0 && *value <= std::numeric_limits<int>::max();
      return fits ? std::string() : fmt::format("'{}' is not a whole number greater than zero", text);
    },
    "");

CLI::Validator whole_between(long low, long high) {
  return {[low, high](std::string& text) {
            const auto value = read_integer<long>(text);
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
