#include "gpu/single_precision.hpp"

#include <cctype>
#include <cmath>
#include <limits>

#include "expression/number_text.hpp"

namespace armature::internal {

namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view name_at(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_part_of_name(text[end])) ++end;
  return text.substr(0, end);
}

bool begins_number(std::string_view text) {
  return is_digit(text[0]) || (text[0] == '.' && text.size() > 1 && is_digit(text[1]));
}

bool is_hexadecimal(std::string_view number) { return number.starts_with("0x") || number.starts_with("0X"); }

// The letter behind which an exponent stands.
char exponent_of(std::string_view number) { return is_hexadecimal(number) ? 'p' : 'e'; }

// All that C++ takes for one number: digits, letters, points, separators, and the sign of an exponent.
std::string_view number_at(std::string_view text) {
  std::size_t end = 1;
  for (; end < text.size(); ++end) {
    const char c = text[end];
    const bool is_sign = (c == '+' || c == '-') && std::tolower(text[end - 1]) == exponent_of(text);
    const bool separates = c == '\'' && end + 1 < text.size() && is_part_of_name(text[end + 1]);
    if (!is_part_of_name(c) && c != '.' && !is_sign && !separates) break;
  }
  return text.substr(0, end);
}

bool is_whole(std::string_view number) {
  const std::string marks = is_hexadecimal(number) ? "pP" : ".eE";
  return number.find_first_of(marks) == number.npos;
}

std::string in_single(std::string_view number) {
  if (is_whole(number)) return std::string(number);
  const double value = *read_number(number);
  if (value > std::numeric_limits<float>::max()) return "INFINITY";
  if (value < std::numeric_limits<float>::min()) return "0.0f";
  return std::string(number) + "f";
}

}  // namespace

std::string in_single_precision(std::string_view code) {
  std::string text;
  while (!code.empty()) {
    std::string_view token = code.substr(0, 1);
    if (begins_number(code)) {
      token = number_at(code);
      text += in_single(token);
    } else if (is_part_of_name(code[0])) {
      token = name_at(code);
      text += token == "double" ? "float" : token;
    } else {
      text += token;
    }
    code.remove_prefix(token.size());
  }
  return text;
}

}  // namespace armature::internal
