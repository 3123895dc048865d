#include "model/for_loop.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "expression/interruption.hpp"
#include "expression/lower.hpp"
#include "model/formula_tree.hpp"
#include "model/limits.hpp"
#include "model/scope.hpp"
#include "model/yaml_repair.hpp"

namespace armature::internal {
namespace {

// What one loop variable stands for, turn by turn.
struct LoopVariable {
  std::string name;
  std::vector<Formula> values;
};

struct LoopError {
  Location where;
  std::string message;
};

// The value of a formula of parameters and loop variables that must be a whole number.
long whole_number(const Formula& formula, Reading& reading) {
  reading.fix_names_in(formula);
  const double value = evaluate_constant(formula, reading.model);
  if (value != std::round(value) || std::abs(value) > 1e9)
    throw FormulaError(formula.where, fmt::format("'{}' is {}, not a whole number", formula.text, value));
  return std::lround(value);
}

Formula parse_in_loop(const std::string& text, Location where, const LoopValues* outer) {
  const Formula formula = parse_formula(text, where);
  return outer ? with_loop_values(formula, *outer) : formula;
}

std::vector<Formula> range_values(const YamlNode& node, Reading& reading) {
  const std::size_t dots = node.text.find("..");
  if (dots == std::string::npos) throw LoopError{node.where, "expected a range such as 1..3 or a list"};
  const long first = whole_number(parse_in_loop(node.text.substr(0, dots), node.where, node.loop.get()), reading);
  const long last = whole_number(parse_in_loop(node.text.substr(dots + 2), node.where, node.loop.get()), reading);
  if (last - first >= limits::turns)
    throw LoopError{node.where, fmt::format("the range has more than {} values", limits::turns)};
  std::vector<Formula> values;
  for (long i = first; i <= last; ++i) values.push_back(number_formula(static_cast<double>(i)));
  return values;
}

std::vector<Formula> list_values(const YamlNode& node) {
  std::vector<Formula> values;
  for (const YamlNode& item : node.items) {
    if (!item.is_text()) throw LoopError{item.where, fmt::format("expected a formula, not {}", kind_in_words(item))};
    values.push_back(parse_in_loop(item.text, item.where, item.loop.get()));
  }
  return values;
}

// The elements of a parameter that is a list.
std::vector<Formula> element_values(const Formula& list) {
  std::vector<Formula> values;
  for (const auto& element : list.root->children) values.push_back(name_formula(element->name, list.where));
  return values;
}

LoopVariable read_variable(const YamlEntry& entry, Reading& reading) {
  if (entry.value.is_text())
    if (const Formula* list = find_list(reading.model, entry.value.text)) return {entry.key, element_values(*list)};
  if (entry.value.is_text()) return {entry.key, range_values(entry.value, reading)};
  if (entry.value.is_list()) return {entry.key, list_values(entry.value)};
  throw LoopError{entry.where, "expected a range such as 1..3 or a list"};
}

std::vector<LoopVariable> read_variables(const YamlNode& loop, Reading& reading) {
  if (!loop.is_map() || loop.entries.empty()) throw LoopError{loop.where, "expected a map such as {i: 1..3}"};
  std::vector<LoopVariable> variables;
  for (const YamlEntry& entry : loop.entries) {
    variables.push_back(read_variable(entry, reading));
    const std::size_t n = variables.front().values.size(), m = variables.back().values.size();
    if (n != m)
      throw LoopError{entry.where,
                      fmt::format("'{}' has {} values, but '{}' has {}", entry.key, m, variables.front().name, n)};
  }
  return variables;
}

// What stands in braces: a word that a loop variable holds, or a whole number.
std::string text_of_braces(const std::string& inside, const LoopValues& values, Location where, Reading& reading) {
  const auto variable = values.find(inside);
  if (variable != values.end() && variable->second.root->kind == Syntax::Kind::name) {
    const std::string& word = variable->second.root->name;
    const auto& parameters = reading.model.parameters;
    const bool is_parameter =
        std::any_of(parameters.begin(), parameters.end(), [&](const Parameter& p) { return p.name == word; });
    if (!is_parameter) return word;
  }
  return std::to_string(whole_number(parse_in_loop(inside, where, &values), reading));
}

std::string fill_braces(const std::string& text, const LoopValues& values, Location where, Reading& reading) {
  std::string result;
  std::size_t at = 0;
  while (true) {
    const std::size_t open = text.find('{', at);
    if (open == std::string::npos) return result + text.substr(at);
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) throw LoopError{where, fmt::format("'{{' is not closed in '{}'", text)};
    result += text.substr(at, open - at);
    result += text_of_braces(text.substr(open + 1, close - open - 1), values, where, reading);
    at = close + 1;
  }
}

// A turn of the loop: braces filled and loop values attached, in everything but inner loops' own braces.
YamlNode turn_of(const YamlNode& node, const std::shared_ptr<const LoopValues>& values, Reading& reading) {
  YamlNode result = node;
  result.loop = values;
  if (result.is_text()) result.text = fill_braces(node.text, *values, node.where, reading);
  for (YamlNode& item : result.items) item = turn_of(item, values, reading);
  for (YamlEntry& entry : result.entries) {
    const bool has_own_loop = entry.value.is_map() && entry.value.find("for");
    if (has_own_loop) {  // filled when the inner loop runs, with the outer values kept
      entry.value.loop = values;
      continue;
    }
    entry.key = fill_braces(entry.key, *values, entry.where, reading);
    entry.value = turn_of(entry.value, values, reading);
  }
  return result;
}

YamlNode without_for(const YamlNode& node) {
  YamlNode result = node;
  std::erase_if(result.entries, [](const YamlEntry& entry) { return entry.key == "for"; });
  if (result.entries.size() == 1 && result.entries[0].key == "is") return YamlNode(result.entries[0].value);
  return result;
}

void attach_outer(YamlNode& node, const std::shared_ptr<const LoopValues>& outer) {
  node.loop = outer;
  for (YamlNode& item : node.items) attach_outer(item, outer);
  for (YamlEntry& entry : node.entries) attach_outer(entry.value, outer);
}

void count_turns(std::size_t turns, Location where, Reading& reading) {
  reading.turns += static_cast<long>(turns);
  if (reading.turns > limits::all_turns)
    throw LoopError{where, fmt::format("the loops of the file make more than {} items", limits::all_turns)};
}

void expand(const YamlEntry& entry, const std::string& path, Reading& reading, std::vector<YamlEntry>& result) {
  stop_if_interrupted();
  YamlNode loop = *entry.value.find("for");
  count_turns(0, loop.where, reading);
  if (entry.value.loop) attach_outer(loop, entry.value.loop);
  const std::vector<LoopVariable> variables = read_variables(loop, reading);
  count_turns(variables.front().values.size(), loop.where, reading);
  if (entry.value.entries.size() == 1)
    throw LoopError{entry.where, "has nothing to repeat: add the keys to repeat, or 'is: …' for a plain value"};
  const YamlNode body = without_for(entry.value);
  if (!reading.may_copy(body, variables.front().values.size(), loop.where, dotted(path, "for"))) return;
  for (std::size_t turn = 0; turn < variables.front().values.size(); ++turn) {
    auto values = std::make_shared<LoopValues>();
    if (entry.value.loop) *values = *entry.value.loop;
    for (const LoopVariable& variable : variables) (*values)[variable.name] = variable.values[turn];
    result.push_back(
        {fill_braces(entry.key, *values, entry.where, reading), entry.where, turn_of(body, values, reading)});
  }
}

}  // namespace

std::vector<YamlEntry> expanded_entries(const YamlNode& map, const std::string& path, Reading& reading) {
  std::vector<YamlEntry> result;
  if (map.kind == YamlNode::Kind::null) return result;
  if (!map.is_map()) {
    reading.diagnostics.add(map.where, path, fmt::format("expected a map of names, not {}", kind_in_words(map)));
    return result;
  }
  for (const YamlEntry& entry : map.entries) {
    const std::string key = dotted(path, entry.key);
    try {
      if (entry.value.is_map() && entry.value.find("for"))
        expand(entry, key, reading, result);
      else if (entry.key.find('{') != std::string::npos)
        reading.diagnostics.add(entry.where, key, "has braces in its name but no 'for'");
      else
        result.push_back(entry);
    } catch (const LoopError& error) {
      reading.diagnostics.add(error.where, dotted(key, "for"), error.message);
    } catch (const FormulaError& error) {
      reading.diagnostics.add(error.where, dotted(key, "for"), error.what());
    }
  }
  return result;
}

}  // namespace armature::internal
