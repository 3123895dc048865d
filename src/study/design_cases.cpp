#include "study/design_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "expression/lower.hpp"
#include "model/diagnostics.hpp"
#include "model/file_kind.hpp"
#include "model/request_error.hpp"
#include "model/yaml_tree.hpp"
#include "study/dimensions.hpp"

namespace armature::internal {

namespace {

constexpr std::size_t most_deviations = 6;  // 64 corners

std::string without_blanks(const std::string& text) {
  const auto from = text.find_first_not_of(" \t"), to = text.find_last_not_of(" \t");
  return from == std::string::npos ? "" : text.substr(from, to - from + 1);
}

// At commas outside of parentheses.
std::vector<std::string> comma_parts(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  for (std::string& part : parts) part = without_blanks(part);
  return parts;
}

std::pair<std::string, std::string> assignment(const std::string& text, const std::string& option) {
  const auto sign = text.find('=');
  if (sign == std::string::npos || sign == 0 || sign + 1 == text.size())
    throw RequestError(option, "expected NAME=VALUE");
  return {without_blanks(text.substr(0, sign)), without_blanks(text.substr(sign + 1))};
}

double value_of(const std::string& name, const std::string& text, const Model& model, const std::string& option) {
  if (std::ranges::find(model.parameters, name, &Parameter::name) == model.parameters.end())
    throw RequestError(option, fmt::format("the model has no parameter '{}'", name));
  try {
    return constant_in(text, model, dimension_of_varied(name, model));
  } catch (const FormulaError& error) {
    throw RequestError(option, error.what());
  }
}

bool is_file(const std::string& text) { return text.ends_with(".yaml") || text.ends_with(".yml"); }

// A file of parameters: a map of names and values, itself or under `parameters`.
Choice::Values read_parameters(const std::string& file, const Model& model, const std::string& option) {
  const std::optional<std::string> text = read_file(file);
  if (!text) throw RequestError(option, fmt::format("{}: cannot be read", file));
  Diagnostics diagnostics(file);
  const YamlNode tree = parse_yaml(*text, diagnostics);
  diagnostics.throw_if_any();
  const YamlNode* map = tree.is_map() && tree.find("parameters") ? tree.find("parameters") : &tree;
  if (!map->is_map() || map->entries.empty())
    throw RequestError(option, fmt::format("{}: expected a map of parameters and values, such as R: 1.2 Ohm", file));
  Choice::Values values;
  for (const YamlEntry& entry : map->entries) {
    const std::string where = fmt::format("{}: {}:{}", option, file, entry.where.line);
    if (!entry.value.is_text()) throw RequestError(where, fmt::format("{}: expected a number", entry.key));
    values.emplace_back(entry.key, value_of(entry.key, entry.value.text, model, where));
  }
  std::ranges::sort(values);
  return values;
}

}  // namespace

DesignCases::DesignCases(const Model& model, const std::vector<Axis>& over, const std::vector<std::string>& choose,
                         const std::vector<std::string>& scenarios, const std::vector<std::string>& deviations)
    : over_(over.size()) {
  for (const Axis& axis : over) names_.push_back(axis.name);
  for (const std::string& text : choose) read_choice(text, model);
  read_scenarios(scenarios, model);
  add_deviations(deviations, model);
}

std::size_t DesignCases::place(const std::string& name, const Model& model) {
  const auto found = std::ranges::find(names_, name);
  if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
  names_.push_back(name);
  own_.push_back(std::ranges::find(model.parameters, name, &Parameter::name)->value);
  return names_.size() - 1;
}

void DesignCases::read_choice(const std::string& text, const Model& model) {
  const std::string option = "choose " + text;
  const auto [name, list] = assignment(text, option);
  Choice choice{name, {}};
  for (const std::string& part : comma_parts(list)) {
    if (part.empty()) throw RequestError(option, "an option is empty");
    Choice::Option one{part, static_cast<double>(choice.options.size() + 1), {}};
    if (is_file(part)) {
      one.values = read_parameters(part, model, option);
    } else {
      one.number = value_of(name, part, model, option);
      one.values = {{name, one.number}};
    }
    choice.options.push_back(std::move(one));
  }
  if (choice.options.size() < 2) throw RequestError(option, "expected at least two options");
  for (const Choice::Option& one : choice.options) {
    const auto same_names = [](const auto& a, const auto& b) { return a.first == b.first; };
    if (!std::ranges::equal(one.values, choice.options[0].values, same_names))
      throw RequestError(option, fmt::format("{} and {} set different parameters", choice.options[0].label, one.label));
    if (&one != &choice.options[0] && one.values == choice.options[0].values)
      throw RequestError(option, fmt::format("{} and {} are the same", choice.options[0].label, one.label));
  }
  for (const auto& [parameter, value] : choice.options[0].values) {
    if (std::ranges::count(names_, parameter) > 0)
      throw RequestError(option, fmt::format("'{}' is varied or chosen already", parameter));
    place(parameter, model);
  }
  choices_.push_back(std::move(choice));
}

void DesignCases::read_scenarios(const std::vector<std::string>& texts, const Model& model) {
  for (const std::string& text : texts) {
    const std::string option = "scenario " + text;
    Case one{text};
    for (const std::string& part : comma_parts(text)) {
      const auto [name, value] = assignment(part, option);
      const double number = value_of(name, value, model, option);
      const auto before = std::ranges::find(names_, name) - names_.begin();
      const bool fixed = std::ranges::any_of(choices_, [&, &name = name](const Choice& choice) {
        return std::ranges::any_of(choice.options[0].values, [&](const auto& entry) { return entry.first == name; });
      });
      if (before < static_cast<std::ptrdiff_t>(over_) || fixed)
        throw RequestError(option, fmt::format("'{}' belongs to the design; a scenario sets other parameters", name));
      one.values.emplace_back(place(name, model), number);
    }
    cases_.push_back(std::move(one));
  }
  if (cases_.empty()) cases_.emplace_back();
}

void DesignCases::add_deviations(const std::vector<std::string>& texts, const Model& model) {
  if (texts.size() > most_deviations)
    throw RequestError("deviation", fmt::format("{} parameters have {} corners; give at most {}", texts.size(),
                                                1L << texts.size(), most_deviations));
  std::vector<std::pair<std::size_t, double>> sizes;
  for (const std::string& text : texts) {
    const std::string option = "deviation " + text;
    const auto [name, value] = assignment(text, option);
    const double size = value_of(name, value, model, option);
    if (!(size > 0)) throw RequestError(option, "expected a positive size");
    sizes.emplace_back(place(name, model), size);
  }
  const std::vector<Case> scenarios = cases_;
  for (const Case& scenario : scenarios)
    for (unsigned corner = 0; corner < (1u << sizes.size()) && !sizes.empty(); ++corner) {
      Case one = scenario;
      for (std::size_t k = 0; k < sizes.size(); ++k)
        one.shifts.emplace_back(sizes[k].first, corner >> k & 1u ? sizes[k].second : -sizes[k].second);
      cases_.push_back(std::move(one));
    }
}

std::string DesignCases::label(std::size_t which) const {
  std::string text = cases_[which].text;
  for (const auto& [place, shift] : cases_[which].shifts)
    text +=
        fmt::format("{}{} {} {:g}", text.empty() ? "" : ", ", names_[place], shift < 0 ? "-" : "+", std::abs(shift));
  return text.empty() ? "no deviations" : text;
}

long DesignCases::combinations() const {
  long count = 1;
  for (const Choice& choice : choices_) count *= static_cast<long>(choice.options.size());
  return count;
}

const Choice::Option& DesignCases::chosen(long combination, std::size_t which) const {
  for (std::size_t k = 0; k < which; ++k) combination /= static_cast<long>(choices_[k].options.size());
  const Choice& choice = choices_[which];
  return choice.options[static_cast<std::size_t>(combination % static_cast<long>(choice.options.size()))];
}

std::vector<double> DesignCases::numbers(long combination) const {
  std::vector<double> numbers;
  for (std::size_t k = 0; k < choices_.size(); ++k) numbers.push_back(chosen(combination, k).number);
  return numbers;
}

std::vector<double> DesignCases::point(const std::vector<double>& point, long combination, std::size_t which) const {
  std::vector<double> all(point.begin(), point.begin() + static_cast<std::ptrdiff_t>(over_));
  all.insert(all.end(), own_.begin(), own_.end());
  for (std::size_t k = 0; k < choices_.size(); ++k)
    for (const auto& [name, value] : chosen(combination, k).values)
      all[static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin())] = value;
  for (const auto& [place, value] : cases_[which].values) all[place] = value;
  for (const auto& [place, shift] : cases_[which].shifts) all[place] += shift;
  return all;
}

std::vector<std::vector<double>> DesignCases::further_values() const {
  std::vector<std::vector<double>> lists(own_.size());
  const std::vector<double> middle(over_, 0.0);
  for (long combination = 0; combination < combinations(); ++combination)
    for (std::size_t which = 0; which < cases(); ++which) {
      const std::vector<double> all = point(middle, combination, which);
      for (std::size_t k = 0; k < own_.size(); ++k)
        if (std::ranges::count(lists[k], all[over_ + k]) == 0) lists[k].push_back(all[over_ + k]);
    }
  return lists;
}

}  // namespace armature::internal
