#include "report/controls.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string_view>

#include "expression/number_text.hpp"
#include "expression/syntax.hpp"
#include "integrate/integrator.hpp"
#include "model/format_keys.hpp"

namespace armature::internal {
namespace {

using Json = nlohmann::ordered_json;

const KeyPath integrator_path{"simulate", "integrator"}, step_path{"simulate", "step"};

struct Number {
  double value = 0;
  std::string unit;
};

using Names = std::set<std::string>;

void add_names(const Syntax& syntax, Names& names) {
  if (syntax.kind == Syntax::Kind::name || syntax.kind == Syntax::Kind::element) names.insert(syntax.name);
  for (const auto& child : syntax.children) add_names(*child, names);
}

// Of a formula; of what is none, such as 1..n, every word.
void add_names(const std::string& text, Names& names) try {
  add_names(*parse_formula(text, {}).root, names);
} catch (const FormulaError&) {
  static const std::regex word(R"([A-Za-z_][A-Za-z_0-9]*)");
  for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it) names.insert(it->str());
}

void add_ranges_of_loops(const YamlNode& node, Names& names) {
  if (const YamlNode* loop = node.find("for"))
    for (const YamlEntry& range : loop->entries)
      if (range.value.text.find("..") != std::string::npos) add_names(range.value.text, names);
  for (const YamlEntry& entry : node.entries) add_ranges_of_loops(entry.value, names);
  for (const YamlNode& item : node.items) add_ranges_of_loops(item, names);
}

void add_counts_of_body(const YamlNode& node, Names& names) {
  for (const YamlEntry& entry : node.entries) {
    if (entry.key == "elements" || entry.key == "modes") add_names(entry.value.text, names);
    add_counts_of_body(entry.value, names);
  }
}

// What counts something: ranges of loops, elements and modes of bodies; and what the formulas of parameters among it use.
Names names_of_counts(const YamlNode& root) {
  Names names;
  add_ranges_of_loops(root, names);
  if (const YamlNode* bodies = root.find("bodies"))
    for (const YamlEntry& body : bodies->entries) add_counts_of_body(body.value, names);
  const YamlNode* parameters = root.find("parameters");
  for (std::size_t before = 0; parameters && before != names.size();) {
    before = names.size();
    for (const YamlEntry& entry : parameters->entries)
      if (names.contains(entry.key)) add_names(entry.value.text, names);
  }
  return names;
}

// A number with its unit, and nothing else: "2 Pa*width" is a formula.
bool is_one_number(const std::string& text) try {
  const std::shared_ptr<const Syntax> root = parse_formula(text, {}).root;
  return (root->kind == Syntax::Kind::negate ? root->children[0] : root)->kind == Syntax::Kind::number;
} catch (const FormulaError&) {
  return false;
}

bool is_digit(char c) { return '0' <= c && c <= '9'; }

// Where the digits of the number end with which a text begins, a sign before them; 0: it begins with none.
std::size_t end_of_number(std::string_view text) {
  const auto digits_from = [&](std::size_t at) {
    while (at < text.size() && is_digit(text[at])) ++at;
    return at;
  };
  const auto sign_at = [&](std::size_t at) { return at < text.size() && (text[at] == '-' || text[at] == '+'); };
  const std::size_t begin = sign_at(0) ? 1 : 0;
  std::size_t end = digits_from(begin), digits = end - begin;
  if (end < text.size() && text[end] == '.') {
    const std::size_t behind = digits_from(end + 1);
    digits += behind - end - 1, end = behind;
  }
  if (digits == 0) return 0;
  if (end == text.size() || (text[end] != 'e' && text[end] != 'E')) return end;
  const std::size_t power = end + (sign_at(end + 1) ? 2 : 1);  // else a unit begins with this letter
  return digits_from(power) > power ? digits_from(power) : end;
}

// "30 deg", "-0.5", "2 N*m/rad"
std::optional<Number> number_in(const std::string& text) {
  constexpr std::string_view space = " \t\n\v\f\r";
  const std::size_t from = std::min(text.find_first_not_of(space), text.size());
  const std::string_view trimmed = std::string_view(text).substr(from, text.find_last_not_of(space) + 1 - from);
  const std::size_t end = end_of_number(trimmed);
  if (end == 0 || !is_one_number(text)) return {};
  std::string_view digits = trimmed.substr(0, end), unit = trimmed.substr(end);
  unit.remove_prefix(std::min(unit.find_first_not_of(space), unit.size()));
  const bool begins = unit.empty() || std::isalpha(static_cast<unsigned char>(unit[0])) || unit[0] == '%' ||
                      unit.starts_with("µ") || unit.starts_with("°");
  if (!begins || unit.find_first_of(" \t\n\v\f\r+(),-") != unit.npos) return {};
  if (digits.front() == '+') digits.remove_prefix(1);
  return Number{read_number(digits).value(), std::string(unit)};
}

bool uses_a_parameter(const std::string& text, const YamlNode& root) {
  const YamlNode* parameters = root.find("parameters");
  Names names;
  add_names(text, names);
  return parameters && std::ranges::any_of(names, [&](const std::string& name) { return parameters->find(name); });
}

Json control(const char* group, const KeyPath& path, const std::string& name, const std::string& text) {
  return {{"group", group}, {"path", path}, {"name", name}, {"text", text}, {"kind", "text"}};
}

void make_slider(Json& control, const Number& number) {
  control["kind"] = "slider";
  control["value"] = number.value;
  control["unit"] = number.unit;
}

// A formula of numbers alone, such as 0.2/sqrt(3), is turned by its value in SI.
std::optional<Number> constant_value(const std::string& name, const std::string& text, const YamlNode& root,
                                     const Model* model) {
  if (!model || uses_a_parameter(text, root)) return {};
  const auto found = std::ranges::find(model->parameters, name, &Parameter::name);
  if (found == model->parameters.end() || !std::isfinite(found->value)) return {};
  return Number{found->value, ""};
}

void add_parameters(const YamlNode& root, const Model* model, Json& list) {
  const YamlNode* section = root.find("parameters");
  if (!section) return;
  const Names counts = names_of_counts(root);
  const auto add = [&](const KeyPath& path, const std::string& name, const std::string& text) {
    Json made = control("parameters", path, name, text);
    auto number = number_in(text);
    if (!number) number = constant_value(name, text, root, model);
    if (number) make_slider(made, *number);
    if (number && counts.contains(name)) made["whole"] = true;
    if (model && model->read_names.contains(name)) made["read"] = true;
    list.push_back(made);
  };
  for (const YamlEntry& entry : section->entries) {
    if (entry.value.is_text()) add({"parameters", entry.key}, entry.key, entry.value.text);
    for (std::size_t k = 0; k < entry.value.items.size(); ++k)
      if (const YamlNode& item = entry.value.items[k]; item.is_text())
        add({"parameters", entry.key, std::to_string(k)}, element_name(entry.key, static_cast<long>(k) + 1), item.text);
  }
}

// The component of a place across the plane of a planar machine, which says nothing there; -1: it is not planar.
int across_plane(const YamlNode& root) {
  const YamlNode* plane = root.find("plane");
  if (!plane || !plane->is_text()) return -1;
  return plane->text == "xy" ? 2 : plane->text == "xz" ? 1 : plane->text == "yz" ? 0 : -1;
}

// Every value under `start`, however deep, with the words on the way to it for a name.
void add_start(const YamlNode& node, KeyPath path, const std::string& name, int across, Json& list) {
  if (node.is_text()) {
    Json made = control("start", path, name, node.text);
    if (const auto number = number_in(node.text)) make_slider(made, *number);
    list.push_back(made);
  }
  const auto go = [&](const std::string& key, const std::string& word, const YamlNode& child) {
    KeyPath further = path;
    further.push_back(key);
    const bool plain = word == "keep" || word == "near" || word == "is";
    add_start(child, further, plain ? name : name.empty() ? word : name + " " + word, across, list);
  };
  for (const YamlEntry& entry : node.entries)
    if (entry.key != "for") go(entry.key, entry.key, entry.value);
  static const std::vector<std::string> axes{"x", "y", "z"};
  const bool place = path.back() == "at" && node.items.size() == axes.size();
  for (std::size_t k = 0; k < node.items.size(); ++k)
    if (!place || static_cast<int>(k) != across)
      go(std::to_string(k), node.items.size() <= axes.size() ? axes[k] : std::to_string(k + 1), node.items[k]);
}

std::string written_or(const std::string& text, const YamlNode& root, const KeyPath& path,
                       const std::string& otherwise) {
  const YamlNode* node = node_at(root, path);
  if (!node) return otherwise;
  if (node->is_text()) return node->text;
  try {
    return written_value(text, *node);
  } catch (const EditError&) {
    return "";  // over several lines: not to be turned here
  }
}

void add_choice(const std::string& text, const YamlNode& root, const char* key, std::vector<std::string> choices,
                const std::string& otherwise, Json& list) {
  const KeyPath path{"simulate", key};
  const std::string now = written_or(text, root, path, otherwise);
  if (now.empty()) return;
  if (std::ranges::find(choices, now) == choices.end()) choices.insert(choices.begin(), now);
  Json made = control("method", path, key, now);
  made["kind"] = "choice";
  made["choices"] = choices;
  list.push_back(made);
}

std::vector<std::string> words_of(const char* key) {
  const KeySpec* spec = find_key(keys_of("simulate"), key);
  return {spec->words.begin(), spec->words.end()};
}

void add_method(const std::string& text, const YamlNode& root, Json& list) {
  add_choice(text, root, "integrator", words_of("integrator"), std::string(step::usual_method), list);
  add_choice(text, root, "formulation", words_of("formulation"), "auto", list);
  add_choice(text, root, "stabilization", {"projection", "{baumgarte: {alpha: 20, beta: 100}}", "post_adjust", "none"},
             "projection", list);
  add_choice(text, root, "rtol", {"1e-4", "1e-6", "1e-8", "1e-10", "1e-12"}, "1e-8", list);
  for (const char* key : {"end", "step"}) {
    const YamlNode* node = node_at(root, {"simulate", key});
    if (!node || !node->is_text()) continue;
    Json made = control("method", {"simulate", key}, key, node->text);
    if (const auto number = number_in(node->text)) make_slider(made, *number);
    list.push_back(made);
  }
}

}  // namespace

Json controls_of(const std::string& text, const YamlNode& root, const Model* model) {
  Json list = Json::array();
  if (!root.is_map()) return list;
  add_parameters(root, model, list);
  if (const YamlNode* start = root.find("start")) add_start(*start, {"start"}, "", across_plane(root), list);
  add_method(text, root, list);
  return list;
}

std::string turn(const std::string& text, const KeyPath& path, const std::string& value) {
  if (path != integrator_path) return set_value(text, path, value);
  const std::string changed = set_value(text, path, value);
  if (!takes_fixed_steps(value)) return remove_value(changed, step_path);
  Diagnostics ignored("");
  const YamlNode root = parse_yaml(changed, ignored);
  return node_at(root, step_path) ? changed : set_value(changed, step_path, "1 ms");
}

}  // namespace armature::internal
