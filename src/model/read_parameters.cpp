// Parameters: formulas of one another, in any order. Each is evaluated once, what it needs first. A list is one parameter per
// element, lengths[1], lengths[2], …, and a formula with all of them under its own name.
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "expression/evaluation_order.hpp"
#include "expression/lower.hpp"
#include "model/for_loop.hpp"
#include "model/formula_tree.hpp"
#include "model/read_sections.hpp"
#include "model/scope.hpp"
#include "model/yaml_repair.hpp"

namespace armature::internal {
namespace {

class Evaluation {
 public:
  explicit Evaluation(Reading& reading) : reading_(reading), known_(reading.model.parameters.size(), false) {
    const std::vector<Parameter>& parameters = reading.model.parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i) place_.emplace(parameters[i].name, i);
    scope_.look_up = [this](const std::string& name) { return look_up(name); };
    scope_.names = [&parameters] {
      std::vector<std::string> names;
      for (const Parameter& parameter : parameters) names.push_back(parameter.name);
      return names;
    };
  }

  void run() {
    const NamedFormulas formulas{[this](const std::string& name) { return pending(name); },
                                 [this](const std::string& name) { evaluate(name); },
                                 [this](const std::vector<std::string>& chain) { refuse_cycle(chain); }};
    // 1 stands in for what cannot be evaluated, so that each mistake is reported once
    for (Parameter& parameter : reading_.model.parameters) parameter.value = 1;
    for (const Parameter& parameter : reading_.model.parameters) evaluate_in_order(parameter.name, formulas);
    for (const auto& [name, list] : reading_.model.lists) require_one_dimension(name, list);
  }

 private:
  Parameter& parameter(std::size_t place) { return reading_.model.parameters[place]; }

  const Formula* pending(const std::string& name) {
    const auto found = place_.find(name);
    if (found == place_.end()) return known_lists_.contains(name) ? nullptr : find_list(reading_.model, name);
    if (known_[found->second]) return nullptr;
    const Formula& formula = parameter(found->second).formula;
    return formula.given() ? &formula : nullptr;
  }

  std::optional<Value> look_up(const std::string& name) {
    const auto found = place_.find(name);
    if (found == place_.end()) {
      const Formula* list = find_list(reading_.model, name);
      return list ? std::optional(lower(*list, scope_)) : std::nullopt;
    }
    Value value{Expression(parameter(found->second).value)};
    value.dimension = parameter(found->second).dimension;
    return value;
  }

  // The last of the chain is a list where another one needs all of it.
  void refuse_cycle(std::vector<std::string> chain) {
    if (!place_.contains(chain.back())) chain.erase(chain.begin()), chain.push_back(chain.front());
    const std::size_t place = place_.at(chain.back());
    reading_.diagnostics.add(parameter(place).formula.where, dotted("parameters", chain.back()),
                             fmt::format("depends on itself: {}", chain_in_words(chain)));
    known_[place] = true;
  }

  void evaluate(const std::string& name) {
    const auto found = place_.find(name);
    if (found == place_.end()) return void(known_lists_.insert(name));
    const std::size_t place = found->second;
    known_[place] = true;
    Parameter& parameter = this->parameter(place);
    try {
      const Value value = lower(parameter.formula, scope_);
      if (value.is_condition) throw FormulaError(parameter.formula.where, "a parameter is a number, not a comparison");
      if (!value.is_scalar())
        throw FormulaError(parameter.formula.where, "a parameter is one number; write a vector under 'define'");
      parameter.value = value.parts[0].value();
      parameter.dimension = value.dimension;
    } catch (const FormulaError& error) {
      reading_.diagnostics.add(parameter.formula.where, dotted("parameters", parameter.name), error.what());
    }
  }

  void require_one_dimension(const std::string& name, const Formula& list) {
    std::string first, unit;
    for (const auto& element : list.root->children) {
      const Parameter& parameter = this->parameter(place_.at(element->name));
      if (!parameter.dimension) continue;
      const std::string other = to_string(*parameter.dimension);
      if (first.empty()) first = parameter.name, unit = other;
      if (other == unit) continue;
      reading_.diagnostics.add(list.where, dotted("parameters", name),
                               fmt::format("the elements of a list have one dimension, but {} is {} and {} is {}",
                                           first, unit, parameter.name, other));
      return;
    }
  }

  Reading& reading_;
  Scope scope_;
  std::unordered_map<std::string, std::size_t> place_;
  std::vector<char> known_;
  std::set<std::string> known_lists_;
};

void add_list(const YamlEntry& entry, const std::string& path, Reading& reading) {
  const Formula list = read_formula(entry.value, path, reading);
  if (!list.given()) return;
  std::vector<Formula> elements;
  for (const auto& root : list.root->children) {
    const std::string name = element_name(entry.key, static_cast<long>(elements.size()) + 1);
    const YamlNode& item = entry.value.items[elements.size()];
    reading.model.parameters.push_back({name, {item.text, item.where, root}, 0, {}});
    elements.push_back(name_formula(name, item.where));
  }
  reading.model.lists.emplace_back(entry.key, list_formula(elements, entry.where));
}

}  // namespace

void read_parameters(const YamlNode& section, Reading& reading) {
  for (const YamlEntry& entry : expanded_entries(section, "parameters", reading)) {
    const std::string path = dotted("parameters", entry.key);
    reading.take_name(entry.key, "parameter", entry.where, path);
    if (entry.value.is_list())
      add_list(entry, path, reading);
    else
      reading.model.parameters.push_back({entry.key, read_formula(entry.value, path, reading), 0, {}});
  }
  Evaluation(reading).run();
}

void read_definitions(const YamlNode& section, Reading& reading) {
  static constexpr KeySpec definition{"", "", Holds::any_value, "", "", ValueRange::any, true};
  for (const YamlEntry& entry : expanded_entries(section, "define", reading)) {
    const std::string path = dotted("define", entry.key);
    reading.take_name(entry.key, "definition", entry.where, path);
    const Formula formula = read_formula(entry.value, path, reading);
    if (formula.given()) reading.check_later(name_formula(entry.key, formula.where), path, definition);
    reading.model.definitions.emplace_back(entry.key, formula);
  }
}

}  // namespace armature::internal
