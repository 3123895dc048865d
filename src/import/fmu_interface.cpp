#include "import/fmu_interface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <map>

#include "import/zip.hpp"
#include "model/request_error.hpp"

namespace armature::internal {

namespace {

std::optional<FmuPort::Type> port_type(std::string_view element) {
  static const std::map<std::string_view, FmuPort::Type> types = {
      {"Real", FmuPort::Type::real},       {"Float64", FmuPort::Type::real},    {"Integer", FmuPort::Type::integer},
      {"Int32", FmuPort::Type::integer},   {"Boolean", FmuPort::Type::boolean},
  };
  const auto found = types.find(element);
  return found == types.end() ? std::nullopt : std::optional(found->second);
}

// FMI 2.0 puts the type inside the variable, 3.0 names the variable by it.
void add_variable(const pugi::xml_node& variable, int version, FmuInterface& fmu) {
  const pugi::xml_node typed = version == 2 ? variable.first_child() : variable;
  const std::optional<FmuPort::Type> type = port_type(typed.name());
  if (!type || typed.child("Dimension")) return;
  FmuPort port;
  port.name = variable.attribute("name").value();
  port.reference = variable.attribute("valueReference").as_uint();
  port.type = *type;
  port.unit = typed.attribute("unit").value();
  if (const pugi::xml_attribute start = typed.attribute("start"))
    port.start = *type == FmuPort::Type::boolean ? static_cast<double>(start.as_bool()) : start.as_double();
  const std::string_view causality = variable.attribute("causality").value();
  if (causality == "input") fmu.inputs.push_back(port);
  if (causality == "output") fmu.outputs.push_back(port);
  if (causality == "parameter") fmu.parameters.push_back(port);
}

}  // namespace

FmuInterface fmu_interface(std::string_view archive) {
  const std::string text = file_of_zip(archive, "modelDescription.xml");
  pugi::xml_document document;
  if (const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size()); !parsed)
    throw RequestError(fmt::format("modelDescription.xml is not XML: {}", parsed.description()));
  const pugi::xml_node root = document.document_element();
  if (std::string_view(root.name()) != "fmiModelDescription")
    throw RequestError("modelDescription.xml does not begin with <fmiModelDescription>");
  FmuInterface fmu;
  const std::string version = root.attribute("fmiVersion").value();
  if (!version.starts_with("2.") && !version.starts_with("3."))
    throw RequestError(fmt::format("the FMU is of FMI '{}'; versions 2.0 and 3.0 are read", version));
  fmu.version = version[0] - '0';
  fmu.token = root.attribute(fmu.version == 2 ? "guid" : "instantiationToken").value();
  fmu.name = root.attribute("modelName").value();
  const pugi::xml_node kind = root.child("CoSimulation");
  if (!kind) throw RequestError("the FMU has no co-simulation; only FMUs that integrate themselves can be coupled");
  fmu.identifier = kind.attribute("modelIdentifier").value();
  const bool is_word = !fmu.identifier.empty() && std::ranges::all_of(fmu.identifier, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  if (!is_word) throw RequestError(fmt::format("the modelIdentifier '{}' of the FMU is not a name", fmu.identifier));
  if (kind.attribute("needsExecutionTool").as_bool())
    throw RequestError("the FMU needs the tool that made it (needsExecutionTool); export one that runs by itself");
  for (const pugi::xml_node& variable : root.child("ModelVariables"))
    if (variable.type() == pugi::node_element) add_variable(variable, fmu.version, fmu);
  return fmu;
}

}  // namespace armature::internal
