#include "read/reader.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "expression/interruption.hpp"
#include "import/import.hpp"
#include "model/file_kind.hpp"
#include "model/formula_tree.hpp"
#include "model/limits.hpp"
#include "model/read_sections.hpp"
#include "model/validate.hpp"
#include "read/assemblies.hpp"
#include "read/clearance.hpp"
#include "read/guarded_reader.hpp"
#include "read/read_items.hpp"

namespace armature::internal {
namespace {

const YamlNode nothing;

void forget_places(YamlNode& node) {
  node.where = {};
  for (YamlNode& item : node.items) forget_places(item);
  for (YamlEntry& entry : node.entries) entry.where = {}, forget_places(entry.value);
}

YamlNode plain_text(const std::string& value) {
  YamlNode node;
  node.kind = YamlNode::Kind::text;
  node.text = value;
  return node;
}

// An option of the command line: a text, or a list or map in YAML's brackets.
YamlNode setting_node(const std::string& value, Diagnostics& diagnostics) {
  if (value.starts_with("[") || value.starts_with("{")) {
    YamlNode node = parse_yaml(value, diagnostics);
    forget_places(node);
    return node;
  }
  return plain_text(value);
}

bool is_start(const std::string& name) { return name.starts_with("start."); }

// The map of the input of this name, or null.
YamlNode* find_input(YamlNode& root, const std::string& name) {
  YamlNode* inputs = root.find("inputs");
  YamlNode* input = inputs ? inputs->find(name) : nullptr;
  return input && input->is_map() ? input : nullptr;
}

// The parameter of this name, or the element of one that is a list: lengths[2]. Null: there is none.
YamlNode* find_parameter(YamlNode& parameters, const std::string& name) {
  if (YamlNode* known = parameters.find(name)) return known;
  const std::size_t bracket = name.find('[');
  if (bracket == std::string::npos) return nullptr;
  YamlNode* list = parameters.find(name.substr(0, bracket));
  if (!list || !list->is_list()) return nullptr;
  for (std::size_t k = 0; k < list->items.size(); ++k)
    if (name == element_name(name.substr(0, bracket), static_cast<long>(k) + 1)) return &list->items[k];
  return nullptr;
}

// What --set may name in a section.
void add_settable_names(const YamlNode& section, std::vector<std::string>& names) {
  for (const YamlEntry& entry : section.entries) {
    names.push_back(entry.key);
    for (std::size_t k = 0; k < entry.value.items.size(); ++k)
      names.push_back(element_name(entry.key, static_cast<long>(k) + 1));
  }
}

bool makes_inputs_by_loop(YamlNode& root) {
  const YamlNode* inputs = root.find("inputs");
  return inputs && std::ranges::any_of(inputs->entries,
                                       [](const YamlEntry& entry) { return entry.value.find("for") != nullptr; });
}

// --set name=value: a parameter, the default of an input, or simulate.key. Start values are set when the machine is known.
void apply_setting(YamlNode& root, const std::string& name, const std::string& value, Reading& reading) {
  Diagnostics& diagnostics = reading.diagnostics;
  if (YamlNode* input = find_input(root, name)) return set_entry(*input, "default", plain_text(value));
  const bool is_option = name.starts_with("simulate.");
  const std::string section = is_option ? "simulate" : "parameters", key = is_option ? name.substr(9) : name;
  YamlNode* map = root.find(section);
  if (!map && is_option) {
    root.entries.push_back({section, {}, {}});
    map = &root.entries.back().value;
    map->kind = YamlNode::Kind::map;
  }
  const YamlNode node = setting_node(value, diagnostics);
  if (is_option)
    set_entry(*map, key, node);
  else if (YamlNode* parameter = map ? find_parameter(*map, key) : nullptr)
    *parameter = node;
  else if (makes_inputs_by_loop(root))
    reading.input_defaults.emplace_back(name, plain_text(value));
  else {
    std::vector<std::string> names;
    for (const YamlNode* section :
         {static_cast<const YamlNode*>(map), static_cast<const YamlNode*>(root.find("inputs"))})
      if (section) add_settable_names(*section, names);
    diagnostics.add({}, "--set " + name,
                    fmt::format("there is no {} '{}'{}", root.find("inputs") ? "parameter or input" : "parameter", name,
                                did_you_mean(name, names)));
  }
}

void read_version(const MapReader& map, Reading& reading) {
  const std::optional<std::string> version = map.text("armature");
  if (version && *version != "1")
    reading.diagnostics.add(
        map.find("armature")->where, "armature",
        fmt::format("version {} of the file format is unknown; this program reads version 1", *version));
}

void read_gravity(const MapReader& map, Reading& reading) {
  reading.model.gravity = map.formula("gravity");
  if (!map.has("gravity") && !map.misspelt("gravity") && map.has("bodies"))
    reading.diagnostics.add(map.where(), "gravity", "is missing: write [0, 0, -9.81 m/s^2], or [0, 0, 0] for none");
  if (!map.has("gravity"))
    reading.model.gravity = list_formula(std::vector<Formula>(3, number_formula(0)), map.where());
}

void read_head(const MapReader& map, Reading& reading) {
  read_version(map, reading);
  reading.model.name = map.text("name").value_or(std::filesystem::path(reading.model.file).stem().string());
  reading.model.plane = map.choice("plane").value_or("");
  read_gravity(map, reading);
}

// In the order in which sections need one another.
void read_sections(const MapReader& map, Reading& reading) {
  const auto section = [&](const char* key) -> const YamlNode& {
    const YamlNode* node = map.find(key);
    return node ? *node : nothing;
  };
  read_parameters(section("parameters"), reading);
  read_inputs(section("inputs"), reading);
  read_fmus(section("fmus"), reading);
  read_states(section("states"), reading);
  read_tables(section("tables"), reading);
  read_definitions(section("define"), reading);
  read_bodies(section("bodies"), reading);
  read_points(section("points"), reading);
  read_joints(section("joints"), reading);
  read_lagrangian(section("lagrangian"), reading);
  read_constraints(section("constraints"), reading);
  read_forces(section("forces"), reading);
  read_clearances(reading);
  read_drives(section("drives"), reading);
  read_controllers(section("controllers"), reading);
  read_inverse(section("inverse"), reading);
  read_start(section("start"), reading);
  read_simulate(section("simulate"), reading);
  read_record(section("record"), reading);
}

void read_root(YamlNode& root, const Settings& settings, Reading& reading) {
  if (!root.is_map() || root.entries.empty()) {
    const char* message = root.kind == YamlNode::Kind::null ? "the file is empty" : "this is not a model file";
    if (reading.diagnostics.empty())
      reading.diagnostics.add(root.where, "", fmt::format("{}: a model begins with 'armature: 1'", message));
    return;
  }
  expand_assemblies(root, reading);
  if (reading.values >= limits::made_values) return;  // reported
  for (const auto& [name, value] : settings)
    if (!is_start(name)) apply_setting(root, name, value, reading);
  const MapReader map(root, keys_of("file"), "", reading);
  read_head(map, reading);
  read_sections(map, reading);
  for (const auto& [name, value] : settings)
    if (is_start(name)) read_start_setting(name, setting_node(value, reading.diagnostics), reading);
  check_formulas(reading);
  check_joint_values(reading);
  check_inertias(reading);
  if (reading.diagnostics.empty()) check_connections(reading);
  if (reading.model.bodies.empty() && !reading.model.lagrangian.given && reading.model.states.empty() &&
      reading.diagnostics.empty())
    reading.diagnostics.add(root.where, "bodies", "the model has no bodies");
}

}  // namespace

namespace {

// Lines of the model that a robot becomes are not those of its file.
void throw_without_lines(const Diagnostics& diagnostics) {
  try {
    diagnostics.throw_if_any();
  } catch (const ModelError& error) {
    std::vector<Diagnostic> found = error.diagnostics();
    for (Diagnostic& each : found)
      if (each.where.line > 0)
        each.where = {}, each.message += " (in the model that 'armature import' makes from the robot)";
    throw ModelError(error.file(), found);
  }
}

Model read(const std::string& text, const Settings& settings, Reading& reading) {
  const Abandonable work;
  ImportOptions options;
  options.may_read = reading.may_read, options.root = reading.model.root;
  const bool is_robot = is_xml(text);
  reading.model.text = is_robot ? import_robot(text, reading.model.file, options).text : text;
  reading.lines.read(reading.model.text);
  YamlNode root = parse_yaml(reading.model.text, reading.diagnostics);
  read_root(root, settings, reading);
  if (is_robot) throw_without_lines(reading.diagnostics);
  reading.diagnostics.throw_if_any(reading.model.used_files);
  return std::move(reading.model);
}

}  // namespace

Model read_model_text(const std::string& text, const std::string& file, const Settings& settings,
                      const std::string& root) {
  Reading reading(file, root);
  return read(text, settings, reading);
}

Model read_again(const Model& model, const Settings& settings) {
  return read_model_text(model.text, model.file, settings, model.root);
}

std::vector<FormulaCheck> formula_checks(const Model& model, const Settings& settings) {
  Reading reading(model.file, model.root);
  read(model.text, settings, reading);
  return std::move(reading.checks);
}

Model read_guarded_text(const std::string& text, const std::string& file, const MayRead& may_read) {
  Reading reading(file);
  reading.may_read = may_read;
  return read(text, {}, reading);
}

Model read_model(const std::string& path, const Settings& settings, const std::string& root) {
  const auto fail = [&](const std::string& message) { throw ModelError(path, {Diagnostic{{}, "", message}}); };
  if (const std::string why = why_no_file(path, "model file"); !why.empty()) fail(why);
  const std::optional<std::string> text = read_file(path);
  if (!text) fail("the file cannot be read");
  return read_model_text(*text, path, settings, root);
}

}  // namespace armature::internal
