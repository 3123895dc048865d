// FMUs of others: what each gives is an input of the model, what it is given is a recorded quantity.
#include <fmt/format.h>

#include <algorithm>

#include "import/fmu_interface.hpp"
#include "model/file_kind.hpp"
#include "model/map_reader.hpp"
#include "model/request_error.hpp"
#include "model/yaml_repair.hpp"
#include "read/fmu_uses.hpp"
#include "read/read_items.hpp"

namespace armature::internal {

namespace {

using Ports = std::vector<FmuPort>;

// "word.word": what a formula can name.
bool is_name(const std::string& text) {
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) || c == '_'; };
  bool begins = true;
  for (const unsigned char c : text) {
    if (begins ? !is_letter(c) : !is_letter(c) && !std::isdigit(c) && c != '.') return false;
    begins = c == '.';
  }
  return !begins;
}

std::optional<FmuInterface> read_interface(const std::string& file, Location where, const std::string& path,
                                           Reading& reading) {
  if (const std::string why = why_no_file(file, "FMU"); !why.empty()) {
    reading.diagnostics.add(where, path, fmt::format("{}: {}", file, why));
    return std::nullopt;
  }
  try {
    return fmu_interface(read_file(file).value_or(""));
  } catch (const RequestError& error) {
    reading.diagnostics.add(where, path, fmt::format("{}: {}", file, error.what()));
    return std::nullopt;
  }
}

const FmuPort* find_port(const Ports& ports, const YamlEntry& entry, const char* kind, const std::string& path,
                         Reading& reading) {
  const auto found = std::ranges::find(ports, entry.key, &FmuPort::name);
  if (found != ports.end()) return &*found;
  std::vector<std::string> names;
  for (const FmuPort& port : ports) names.push_back(port.name);
  reading.diagnostics.add(entry.where, path,
                          fmt::format("the FMU has no {} '{}'{}", kind, entry.key, near_or_all(entry.key, names)));
  return nullptr;
}

class FmuReader {
 public:
  FmuReader(const YamlEntry& entry, Reading& reading)  // kept by reference
      : entry_(entry),
        reading_(reading),
        path_("fmus." + entry.key),
        map_(entry.value, keys_of("fmus"), path_, reading) {}

  FmuUse read() {
    reading_.take_name(entry_.key, "FMU", entry_.where, path_);
    use_.name = entry_.key;
    use_.step = map_.constant("step").value_or(0);
    use_.time_limit = map_.constant("time_limit").value_or(use_.time_limit);
    if (const YamlNode* step = map_.find("step")) use_.where = step->where;
    const std::optional<std::string> name = map_.text("file");
    if (!name) return use_;
    const auto file = reading_.file_beside(*name, map_.find("file")->where, path_ + ".file");
    if (!file) return use_;
    use_.file = file->string();
    const std::optional<FmuInterface> fmu =
        read_interface(use_.file, map_.find("file")->where, path_ + ".file", reading_);
    if (!fmu) return use_;
    for (const FmuPort& port : fmu->outputs) add_output(port);
    read_entries("connect", "input", fmu->inputs);
    read_entries("set", "parameter", fmu->parameters);
    return use_;
  }

 private:
  void add_output(const FmuPort& port) {
    if (!is_name(port.name)) return;
    reading_.model.inputs.push_back(
        {use_.name + "." + port.name, entry_.where, port.unit, port.dimension, port.start.value_or(0)});
  }

  void read_entries(const char* key, const char* kind, const Ports& ports) {
    const YamlNode* node = map_.find(key);
    if (!node) return;
    const std::string path = path_ + "." + key;
    if (!node->is_map())
      return reading_.diagnostics.add(node->where, path, fmt::format("expected a map from each {} to its value", kind));
    for (const YamlEntry& entry : node->entries) {
      const FmuPort* port = find_port(ports, entry, kind, path, reading_);
      if (port)
        std::string_view(key) == "set" ? read_parameter(*port, entry, path) : read_connection(*port, entry, path);
    }
  }

  void read_connection(const FmuPort& port, const YamlEntry& entry, const std::string& path) {
    const Formula formula = read_formula(entry.value, path + "." + entry.key, reading_);
    if (!formula.given()) return;
    static constexpr KeySpec moving{"connect", "", keys::number, "", "", ValueRange::any, keys::moves};
    reading_.checks.push_back({formula, path + "." + entry.key, moving, port.dimension});
    use_.connected.push_back(port.name);
    reading_.model.record.quantities.emplace_back(use_.name + "." + port.name, formula);
  }

  void read_parameter(const FmuPort& port, const YamlEntry& entry, const std::string& path) {
    static constexpr KeySpec constant{"set", "", keys::number, "", ""};
    if (const auto value = read_constant(entry.value, path + "." + entry.key, constant, reading_))
      use_.parameters.emplace_back(port.name, *value);
  }

  const YamlEntry& entry_;
  Reading& reading_;
  std::string path_;
  MapReader map_;
  FmuUse use_;
};

}  // namespace

void read_fmus(const YamlNode& section, Reading& reading) {
  if (section.kind == YamlNode::Kind::null) return;
  if (!section.is_map()) return reading.diagnostics.add(section.where, "fmus", "expected a map of FMUs by their names");
  for (const YamlEntry& entry : section.entries) FmuReader(entry, reading).read();
}

// The section is read once more: the model itself keeps what it says as inputs and quantities. A text without its name, which YAML may
// also write with a backslash, has none.
std::vector<FmuUse> fmu_uses(const Model& model) {
  std::vector<FmuUse> uses;
  if (model.text.find("fmus") == std::string::npos && model.text.find('\\') == std::string::npos) return uses;
  Reading reading(model.file, model.root);
  reading.lines.read(model.text);
  reading.model.parameters = model.parameters, reading.model.lists = model.lists;
  const YamlNode root = parse_yaml(model.text, reading.diagnostics);
  const YamlNode* section = root.find("fmus");
  if (section && section->is_map())
    for (const YamlEntry& entry : section->entries) uses.push_back(FmuReader(entry, reading).read());
  return uses;
}

}  // namespace armature::internal
