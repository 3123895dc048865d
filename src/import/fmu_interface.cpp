#include "import/fmu_interface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <pugixml.hpp>

#include "expression/units.hpp"
#include "import/zip.hpp"
#include "model/limits.hpp"
#include "model/request_error.hpp"

namespace armature::internal {

namespace {

std::optional<FmuPort::Type> port_type(std::string_view element) {
  static const std::map<std::string_view, FmuPort::Type> types = {
      {"Real", FmuPort::Type::real},     {"Float64", FmuPort::Type::real},    {"Integer", FmuPort::Type::integer},
      {"Int32", FmuPort::Type::integer}, {"Boolean", FmuPort::Type::boolean},
  };
  const auto found = types.find(element);
  return found == types.end() ? std::nullopt : std::optional(found->second);
}

// The unit of a variable, or that of its type.
std::string unit_name(const pugi::xml_node& root, const pugi::xml_node& typed) {
  if (typed.attribute("unit")) return typed.attribute("unit").value();
  const char* type = typed.attribute("declaredType").value();
  const pugi::xml_node declared = root.child("TypeDefinitions").find_child_by_attribute("name", type);
  return (declared.child("Real") ? declared.child("Real") : declared).attribute("unit").value();
}

std::string si_unit(const Dimension& dimension, int radians) {
  const std::string text = to_string(dimension);
  if (radians == 1) return text == "1" ? "rad" : text == "1/s" ? "rad/s" : text;
  return text == "1" ? "" : text;
}

// As the FMU defines it, by exponents of the base units.
void take_definition(const pugi::xml_node& base, bool is_difference, FmuPort& port) {
  static constexpr const char* names[] = {"kg", "m", "s", "A", "K"};
  Dimension dimension;
  for (std::size_t k = 0; k < std::size(names); ++k) dimension.exponent[k] = base.attribute(names[k]).as_int();
  port.factor = base.attribute("factor").as_double(1);
  if (!is_difference) port.offset = base.attribute("offset").as_double();
  if (base.attribute("mol").as_int() != 0 || base.attribute("cd").as_int() != 0)
    return;  // this program has no such quantities
  port.dimension = dimension;
  port.unit = si_unit(dimension, base.attribute("rad").as_int());
}

// Without a definition ("rad/s", "N.m"), where it is a unit of ours.
void take_symbol(std::string symbol, FmuPort& port) {
  std::ranges::replace(symbol, '.', '*');
  std::ranges::replace(symbol, ' ', '*');
  try {
    const Unit unit = unit_of(symbol);
    port.dimension = unit.dimension;
    port.factor = unit.factor;
    port.unit = si_unit(unit.dimension, symbol.starts_with("rad") || symbol.starts_with("deg"));
  } catch (const FormulaError&) {
  }
}

void take_unit(const pugi::xml_node& root, const pugi::xml_node& typed, FmuPort& port) {
  const std::string symbol = unit_name(root, typed);
  if (symbol.empty()) return;
  const pugi::xml_node defined = root.child("UnitDefinitions").find_child_by_attribute("Unit", "name", symbol.c_str());
  if (const pugi::xml_node base = defined.child("BaseUnit"))
    take_definition(base, typed.attribute("relativeQuantity").as_bool(), port);
  else
    take_symbol(symbol, port);
  if (!std::isfinite(port.factor) || port.factor == 0 || !std::isfinite(port.offset))
    throw RequestError(fmt::format("modelDescription.xml: the unit '{}' has no finite factor and offset", symbol));
}

std::uint32_t value_reference(const pugi::xml_node& variable) {
  const std::string_view text = variable.attribute("valueReference").value();
  std::uint32_t reference = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), reference);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    throw RequestError(fmt::format("modelDescription.xml: the variable '{}' has no valueReference, or none from 0 on",
                                   variable.attribute("name").value()));
  return reference;
}

// FMI 2.0 puts the type inside the variable, 3.0 names the variable by it.
void add_variable(const pugi::xml_node& root, const pugi::xml_node& variable, int version, FmuInterface& fmu) {
  const pugi::xml_node typed = version == 2 ? variable.first_child() : variable;
  const std::optional<FmuPort::Type> type = port_type(typed.name());
  if (!type || typed.child("Dimension")) return;
  FmuPort port;
  port.name = variable.attribute("name").value();
  port.reference = value_reference(variable);
  port.type = *type;
  if (*type == FmuPort::Type::real) take_unit(root, typed, port);
  if (const pugi::xml_attribute start = typed.attribute("start"))
    port.start = *type == FmuPort::Type::boolean ? static_cast<double>(start.as_bool())
                                                 : port.factor * start.as_double() + port.offset;
  const std::string_view causality = variable.attribute("causality").value();
  if (causality == "input") fmu.inputs.push_back(port);
  if (causality == "output") fmu.outputs.push_back(port);
  if (causality == "parameter") fmu.parameters.push_back(port);
}

}  // namespace

FmuInterface fmu_interface(std::string_view archive) {
  const std::string text = file_of_zip(archive, "modelDescription.xml", limits::fmu_description);
  pugi::xml_document document;
  if (const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size()); !parsed)
    throw RequestError(fmt::format("modelDescription.xml is not XML: {}", parsed.description()));
  const pugi::xml_node root = document.document_element();
  if (std::string_view(root.name()) != "fmiModelDescription")
    throw RequestError("modelDescription.xml does not begin with <fmiModelDescription>");
  // Version, token and name of the model.
  FmuInterface fmu;
  const std::string version = root.attribute("fmiVersion").value();
  if (!version.starts_with("2.") && !version.starts_with("3."))
    throw RequestError(fmt::format("the FMU is of FMI '{}'; versions 2.0 and 3.0 are read", version));
  fmu.version = version[0] - '0';
  fmu.token = root.attribute(fmu.version == 2 ? "guid" : "instantiationToken").value();
  fmu.name = root.attribute("modelName").value();
  // It must be able to integrate itself, without its tool, under a name that can name a library.
  const pugi::xml_node kind = root.child("CoSimulation");
  if (!kind) throw RequestError("the FMU has no co-simulation; only FMUs that integrate themselves can be coupled");
  fmu.identifier = kind.attribute("modelIdentifier").value();
  const bool is_word = !fmu.identifier.empty() &&
                       std::ranges::all_of(fmu.identifier, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  constexpr std::size_t longest_identifier = 200;  // a file has its name
  if (fmu.identifier.size() > longest_identifier)
    throw RequestError(fmt::format("the modelIdentifier of the FMU has {} characters, more than {}",
                                   fmu.identifier.size(), longest_identifier));
  if (!is_word) throw RequestError(fmt::format("the modelIdentifier '{}' of the FMU is not a name", fmu.identifier));
  if (kind.attribute("needsExecutionTool").as_bool())
    throw RequestError("the FMU needs the tool that made it (needsExecutionTool); export one that runs by itself");
  for (const pugi::xml_node& variable : root.child("ModelVariables"))
    if (variable.type() == pugi::node_element) add_variable(root, variable, fmu.version, fmu);
  return fmu;
}

}  // namespace armature::internal
