#include "lists.hpp"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "errors.hpp"
#include "expression/lower.hpp"

namespace armature::internal::cli {

std::vector<std::string> split_list(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) {
    const auto first = part.find_first_not_of(" \t");
    if (first != std::string::npos) parts.push_back(part.substr(first, part.find_last_not_of(" \t") - first + 1));
  }
  return parts;
}

double plain_number(const std::string& text) {
  Scope scope;
  scope.look_up = [](const std::string&) { return std::optional<Value>(); };
  scope.names = [] { return std::vector<std::string>{}; };
  return lower_scalar(parse_formula(text, {}), scope).value();
}

std::vector<double> range(const std::string& text, const std::string& option, const NumberReader& number) {
  const std::vector<std::string> parts = split_list(text, ':');
  int count = 0;
  if (parts.size() == 3) std::from_chars(parts[2].data(), parts[2].data() + parts[2].size(), count);
  if (count < 1 || count > 100000)
    throw UsageError(fmt::format("{} {}: expected FROM:TO:COUNT, such as 0.5:20:40", option, text));
  try {
    const double from = number(parts[0]), to = number(parts[1]);
    std::vector<double> values;
    for (int k = 0; k < count; ++k) values.push_back(count == 1 ? from : from + (to - from) * k / (count - 1));
    return values;
  } catch (const FormulaError& error) {
    throw UsageError(fmt::format("{} {}: {}", option, text, error.what()));
  }
}

}  // namespace armature::internal::cli
