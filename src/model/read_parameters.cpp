// Parameters: formulas of one another, in any order. Each is evaluated once, what it needs first.
#include <unordered_map>

#include <fmt/format.h>

#include "expression/evaluation_order.hpp"
#include "expression/lower.hpp"
#include "model/for_loop.hpp"
#include "model/formula_tree.hpp"
#include "model/read_sections.hpp"
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
                                 [this](const std::string& name) { evaluate(place_.at(name)); },
                                 [this](const std::vector<std::string>& chain) { refuse_cycle(chain); }};
    // 1 stands in for what cannot be evaluated, so that each mistake is reported once
    for (Parameter& parameter : reading_.model.parameters) parameter.value = 1;
    for (const Parameter& parameter : reading_.model.parameters) evaluate_in_order(parameter.name, formulas);
  }

 private:
  Parameter& parameter(std::size_t place) { return reading_.model.parameters[place]; }

  const Formula* pending(const std::string& name) {
    const auto found = place_.find(name);
    if (found == place_.end() || known_[found->second]) return nullptr;
    const Formula& formula = parameter(found->second).formula;
    return formula.given() ? &formula : nullptr;
  }

  std::optional<Value> look_up(const std::string& name) {
    const auto found = place_.find(name);
    if (found == place_.end()) return std::nullopt;
    Value value{Expression(parameter(found->second).value)};
    value.dimension = parameter(found->second).dimension;
    return value;
  }

  void refuse_cycle(const std::vector<std::string>& chain) {
    const std::size_t place = place_.at(chain.back());
    reading_.diagnostics.add(parameter(place).formula.where, dotted("parameters", chain.back()),
                             fmt::format("depends on itself: {}", chain_in_words(chain)));
    known_[place] = true;
  }

  void evaluate(std::size_t place) {
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

  Reading& reading_;
  Scope scope_;
  std::unordered_map<std::string, std::size_t> place_;
  std::vector<char> known_;
};

}  // namespace

void read_parameters(const YamlNode& section, Reading& reading) {
  for (const YamlEntry& entry : expanded_entries(section, "parameters", reading)) {
    const std::string path = dotted("parameters", entry.key);
    reading.take_name(entry.key, "parameter", entry.where, path);
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
