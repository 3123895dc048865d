// Parameters: formulas of one another, in any order. Each is evaluated once, what it needs first.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "expression/lower.hpp"
#include "model/for_loop.hpp"
#include "model/formula_tree.hpp"
#include "model/read_sections.hpp"
#include "model/yaml_repair.hpp"

namespace armature {
namespace {

class Evaluation {
 public:
  explicit Evaluation(Reading& reading) : reading_(reading) {
    scope_.look_up = [this](const std::string& name) { return look_up(name); };
    scope_.names = [this] {
      std::vector<std::string> names;
      for (const Parameter& parameter : reading_.model.parameters) names.push_back(parameter.name);
      return names;
    };
  }

  void run() {
    for (Parameter& parameter : reading_.model.parameters) evaluate(parameter);
  }

 private:
  std::optional<Value> look_up(const std::string& name) {
    for (Parameter& parameter : reading_.model.parameters) {
      if (parameter.name != name) continue;
      evaluate(parameter);
      Value value{Expression(parameter.value)};
      value.dimension = parameter.dimension;
      return value;
    }
    return std::nullopt;
  }

  // What cannot be evaluated is reported and counts as 1 after that, so that each mistake is said once.
  void evaluate(Parameter& parameter) {
    if (done_.contains(parameter.name)) return;
    const std::string path = dotted("parameters", parameter.name);
    if (std::count(active_.begin(), active_.end(), parameter.name)) {
      reading_.diagnostics.add(parameter.formula.where, path,
                               fmt::format("depends on itself: {}", chain(parameter.name)));
      done_.insert(parameter.name);
      return;
    }
    active_.push_back(parameter.name);
    compute(parameter, path);
    active_.pop_back();
    done_.insert(parameter.name);
  }

  void compute(Parameter& parameter, const std::string& path) {
    parameter.value = 1;
    if (!parameter.formula.given()) return;
    try {
      const Value value = lower(parameter.formula, scope_);
      if (done_.contains(parameter.name)) return;  // a cycle, reported
      if (value.is_condition) throw FormulaError(parameter.formula.where, "a parameter is a number, not a comparison");
      if (!value.is_scalar())
        throw FormulaError(parameter.formula.where, "a parameter is one number; write a vector under 'define'");
      parameter.value = value.parts[0].value();
      parameter.dimension = value.dimension;
    } catch (const FormulaError& error) {
      reading_.diagnostics.add(parameter.formula.where, path, error.what());
    }
  }

  std::string chain(const std::string& name) const {
    std::string text;
    for (auto i = std::find(active_.begin(), active_.end(), name); i != active_.end(); ++i) text += *i + " -> ";
    return text + name;
  }

  Reading& reading_;
  Scope scope_;
  std::set<std::string> done_;
  std::vector<std::string> active_;
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
  static constexpr KeySpec definition{"", "", Holds::any_value, "", "", Range::any, true};
  for (const YamlEntry& entry : expanded_entries(section, "define", reading)) {
    const std::string path = dotted("define", entry.key);
    reading.take_name(entry.key, "definition", entry.where, path);
    const Formula formula = read_formula(entry.value, path, reading);
    if (formula.given()) reading.check_later(name_formula(entry.key, formula.where), path, definition);
    reading.model.definitions.emplace_back(entry.key, formula);
  }
}

}  // namespace armature
