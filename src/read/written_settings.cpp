#include "read/written_settings.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "read/text_edit.hpp"
#include "step/methods.hpp"

namespace armature::internal {

namespace {

bool has(const std::string& text, const KeyPath& path) {
  Diagnostics ignored("");
  const YamlNode root = parse_yaml(text, ignored);
  return node_at(root, path) != nullptr;
}

// start.keep.NAME or start.speed.NAME takes the place of every other entry of that name.
std::string with_start_value(std::string text, const std::string& name, const std::string& value) {
  const bool is_speed = name.starts_with("start.speed.");
  const std::string section = is_speed ? "speed" : "keep", key = name.substr(section.size() + 7);
  if (is_speed)
    for (const char* other : {"keep", "near"}) text = remove_value(text, {"start", "speed", other, key});
  else
    text = remove_value(text, {"start", "near", key});
  if (has(text, {"start", section})) return set_value(text, {"start", section, key}, value);
  return set_value(text, {"start", section}, fmt::format("{{{}: \"{}\"}}", key, value));
}

bool chooses_its_steps(const std::string& integrator) {
  const step::Method* method = step::find_method(integrator);
  return method && method->controlled;
}

// lengths[2] is the second item of a list.
KeyPath parameter_path(const std::string& name) {
  const std::size_t bracket = name.find('[');
  if (bracket == std::string::npos) return {"parameters", name};
  const long index = std::strtol(name.c_str() + bracket + 1, nullptr, 10);
  return {"parameters", name.substr(0, bracket), std::to_string(index - 1)};
}

// As the reader takes a setting (reader.cpp, apply_setting).
std::string with_setting(const std::string& text, const std::string& name, const std::string& value) {
  if (name.starts_with("start.")) return with_start_value(text, name, value);
  if (has(text, {"inputs", name})) return set_value(text, {"inputs", name, "default"}, value);
  if (name == "simulate.integrator" && chooses_its_steps(value))  // the reader forgives a step of the file beside it
    return remove_value(set_value(text, {"simulate", "integrator"}, value), {"simulate", "step"});
  if (name.starts_with("simulate.")) return set_value(text, {"simulate", name.substr(9)}, value);
  return set_value(text, parameter_path(name), value);
}

}  // namespace

std::string with_settings(std::string text, const Settings& settings) {
  for (const auto& [name, value] : settings) text = with_setting(text, name, value);
  return text;
}

}  // namespace armature::internal
