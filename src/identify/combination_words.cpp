#include "identify/combination_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

namespace armature::internal {

namespace {

constexpr double same_ratio = 1e-4;  // relative: of changes that differentiation and round-off leave exact

// A ratio of small whole numbers, as numerator and denominator.
std::optional<std::pair<int, int>> small_ratio(double x) {
  for (int denominator = 1; denominator <= 3; ++denominator) {
    const double numerator = std::round(x * denominator);
    if (numerator != 0 && std::abs(numerator) <= 4 &&
        std::abs(x * denominator - numerator) < same_ratio * std::abs(numerator))
      return std::pair{static_cast<int>(numerator), denominator};
  }
  return std::nullopt;
}

std::string power_of(const std::string& name, int exponent) {
  return exponent == 1 ? name : fmt::format("{}^{}", name, exponent);
}

// a moves by 1 whenever b moves by `ratio`: b^den / a^num stays.
std::string product_words(const CombinedUnknown& a, const CombinedUnknown& b, std::pair<int, int> ratio) {
  const std::string first = power_of(b.name, ratio.second);
  const std::string second = power_of(a.name, std::abs(ratio.first));
  return first + (ratio.first > 0 ? "/" : "*") + second;
}

// A factor as a product of parameters and a simple number: 0.0961 is l2^2/4.
std::string factor_words(double factor, const std::vector<std::pair<std::string, double>>& parameters) {
  struct Number {
    double value;
    const char *before, *after;
  };
  constexpr Number numbers[] = {{1, "", ""},     {2, "2*", ""},    {3, "3*", ""},       {4, "4*", ""},
                                {0.5, "", "/2"}, {0.25, "", "/4"}, {1.0 / 3, "", "/3"}, {1.0 / 12, "", "/12"}};
  const auto same = [&](double value) { return std::abs(value - factor) < same_ratio * factor; };
  for (const Number& number : numbers)
    if (same(number.value)) return fmt::format("{:.4g}", number.value);
  for (const Number& number : numbers)
    for (const auto& [name, value] : parameters)
      for (const int exponent : {1, 2, -1, -2})
        if (value > 0 && same(number.value * std::pow(value, exponent)))
          return fmt::format("{}{}{}{}", number.before, exponent < 0 ? "1/" : "", power_of(name, std::abs(exponent)),
                             number.after);
  for (const Number& number : numbers)
    for (std::size_t i = 0; i < parameters.size(); ++i)
      for (std::size_t j = i + 1; j < parameters.size(); ++j)
        if (parameters[i].second > 0 && parameters[j].second > 0 &&
            same(number.value * parameters[i].second * parameters[j].second))
          return fmt::format("{}{}*{}{}", number.before, parameters[i].first, parameters[j].first, number.after);
  return fmt::format("{:.4g}", factor);
}

bool is_named(const std::string& factor) {
  return std::ranges::any_of(factor, [](unsigned char c) { return std::isalpha(c) && c != 'e'; });
}

// b + factor a stays, where b moves by -factor whenever a moves by 1; or a + b/factor, whichever has a factor with a name, or the larger one.
std::string sum_words(const CombinedUnknown& a, const CombinedUnknown& b, bool exact,
                      const std::vector<std::pair<std::string, double>>& parameters) {
  const double factor = -(b.change * b.size) / (a.change * a.size), size = std::abs(factor);
  const auto words = [&](double x) { return exact ? factor_words(x, parameters) : fmt::format("{:.3g}", x); };
  const std::string direct = words(size), inverse = words(1 / size);
  const bool turned = is_named(direct) ? false : is_named(inverse) || size < 1;
  const std::string& text = turned ? inverse : direct;
  const std::string &first = turned ? a.name : b.name, &second = turned ? b.name : a.name;
  return fmt::format("{} {} {}", first, factor > 0 ? "+" : "-",
                     text == "1" ? second : fmt::format("{}*{}", second, text));
}

}  // namespace

std::string words_of(const Estimate& estimate) {
  const std::string where = estimate.experiment < 0 ? "" : fmt::format(" (record {})", estimate.experiment + 1);
  if (estimate.kind == Estimate::Kind::start) return fmt::format("start of {}{}", estimate.name, where);
  if (estimate.kind == Estimate::Kind::offset) return fmt::format("offset of {}", estimate.name);
  return estimate.name;
}

// One of the unknowns, that which moves most, is played against each of the others.
std::string combination_sentence(const std::vector<CombinedUnknown>& unknowns, bool exact,
                                 const std::vector<std::pair<std::string, double>>& parameters) {
  if (unknowns.empty()) return {};
  std::size_t most = 0;
  for (std::size_t k = 1; k < unknowns.size(); ++k)
    if (std::abs(unknowns[k].change) > std::abs(unknowns[most].change)) most = k;
  const CombinedUnknown& a = unknowns[most];
  if (unknowns.size() == 1)
    return exact ? fmt::format("the data do not determine {}: no signal depends on it", a.name)
                 : fmt::format("the data hardly determine {}", a.name);
  std::vector<std::string> names, combinations;
  for (std::size_t k = 0; k < unknowns.size(); ++k) {
    names.push_back(unknowns[k].name);
    if (k == most) continue;
    const CombinedUnknown& b = unknowns[k];
    const auto ratio = small_ratio(b.change / a.change);
    combinations.push_back(exact && ratio && a.is_parameter && b.is_parameter ? product_words(a, b, *ratio)
                                                                              : sum_words(a, b, exact, parameters));
  }
  return fmt::format("the data {} {} one by one: only {} {} determined",
                     exact ? "do not determine" : "hardly determine", fmt::join(names, ", "),
                     fmt::join(combinations, " and "), combinations.size() == 1 ? "is" : "are");
}

}  // namespace armature::internal
