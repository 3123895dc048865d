#include "number_with_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace armature::internal::cli {
namespace {

constexpr int most_digits = 10;

struct RoundedError {
  int digit = 0, exponent = 0;  // digit 10^exponent
};

RoundedError rounded_up(double error) {
  RoundedError rounded{0, static_cast<int>(std::floor(std::log10(error)))};
  constexpr double nothing = 1e-9;  // of the digit: round-off of the power of ten
  rounded.digit = static_cast<int>(std::ceil(error / std::pow(10.0, rounded.exponent) - nothing));
  if (rounded.digit > 9) rounded.digit = 1, ++rounded.exponent;
  return rounded;
}

std::string with_digits(double value, int digits) {
  std::string text = fmt::format("{:#.{}g}", value, digits);
  const std::size_t point = text.find('.');  // no digit may follow it: "9.e-19"
  if (point + 1 == text.size() || text[point + 1] == 'e') text.erase(point, 1);
  return text;
}

// As many digits as the error leaves.
std::string rounded_number(double value, double error, int otherwise) {
  if (!(error > 0) || value == 0 || !std::isfinite(value) || !std::isfinite(error))
    return fmt::format("{:.{}g}", value, otherwise);
  const int digits = static_cast<int>(std::floor(std::log10(std::abs(value)))) - rounded_up(error).exponent + 1;
  if (digits > most_digits) return fmt::format("{:.{}g}", value, most_digits);
  return with_digits(value, std::max(1, digits));
}

}  // namespace

std::string error_in_words(double error) {
  if (!(error > 0) || !std::isfinite(error)) return fmt::format("{:g}", error);
  const auto [digit, exponent] = rounded_up(error);
  if (exponent >= -3 && exponent < 6)
    return fmt::format("{:.{}f}", digit * std::pow(10.0, exponent), std::max(0, -exponent));
  return fmt::format("{}e{}", digit, exponent);
}

std::string number_with_error(double value, const std::string& unit, double error, int digits) {
  const std::string with_unit = rounded_number(value, error, digits) + (unit.empty() ? "" : " ") + unit;
  return std::isnan(error) ? with_unit : with_unit + " ± " + error_in_words(error);
}

}  // namespace armature::internal::cli
