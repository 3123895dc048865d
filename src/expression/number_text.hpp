// Numbers as text, the same whatever locale the host has set: programs with a user interface often set one with a decimal comma.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace armature::internal {

// The number that is all of the text: decimal, hexadecimal after 0x, inf or nan.
template <class Real = double>
std::optional<Real> read_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  std::string_view digits = text.substr(negative ? 1 : 0);
  const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  if (hexadecimal) digits.remove_prefix(2);
  if (digits.starts_with('-')) return std::nullopt;
  Real value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value,
                                            hexadecimal ? std::chars_format::hex : std::chars_format::general);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return negative ? -value : value;
}

template <class Integer = int>
std::optional<Integer> read_integer(std::string_view text) {
  Integer value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// "0x1.8p+1": every bit, as C reads it.
inline std::string hexadecimal(double value) {
  char digits[32];
  const char* const end = std::to_chars(digits, digits + sizeof digits, std::abs(value), std::chars_format::hex).ptr;
  return (std::signbit(value) ? "-0x" : "0x") + std::string(static_cast<const char*>(digits), end);
}

}  // namespace armature::internal
