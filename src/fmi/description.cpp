#include "fmi/description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numbers>
#include <optional>

#include "expression/units.hpp"
#include "import/xml_text.hpp"
#include "record/version.hpp"

namespace armature::internal {

namespace {

using Kind = FmuVariable::Kind;

std::string attribute(const char* name, const std::string& value) {
  return value.empty() ? "" : fmt::format(" {}=\"{}\"", name, xml_escaped(value));
}
std::string attribute(const char* name, double value) { return fmt::format(" {}=\"{}\"", name, value); }

// ---------------------------------------------------------------- units

// "N m" as the format of model files writes it; nothing: a pure number, or no unit.
std::optional<Unit> parsed_unit(const std::string& text) {
  if (text.empty() || text == "1") return std::nullopt;
  std::string product = text;
  std::ranges::replace(product, ' ', '*');
  try {
    return unit_of(product);
  } catch (const FormulaError&) {
    return std::nullopt;
  }
}

// Radians are pure numbers in formulas, but the standard counts them.
int radians(const std::string& unit) {
  const std::size_t at = unit.find("rad");
  return at == std::string::npos ? 0 : unit.find('/') < at ? -1 : 1;
}

std::string display_units(const std::string& unit) {
  constexpr double degrees = 180 / std::numbers::pi;
  const auto display = [](const char* name, double factor) {
    return fmt::format("<DisplayUnit name=\"{}\" factor=\"{}\"/>", name, factor);
  };
  if (unit == "rad") return display("deg", degrees);
  if (unit == "rad/s") return display("deg/s", degrees) + display("rpm", 30 / std::numbers::pi);
  if (unit == "m") return display("mm", 1000);
  if (unit == "s") return display("ms", 1000);
  return "";
}

std::string unit_definition(const std::string& name, const Unit& unit) {
  static constexpr const char* base[] = {"kg", "m", "s", "A", "K"};
  std::string exponents;
  for (std::size_t k = 0; k < 5; ++k)
    if (unit.dimension.exponent[k] != 0) exponents += fmt::format(" {}=\"{}\"", base[k], unit.dimension.exponent[k]);
  if (const int angle = radians(name); angle != 0) exponents += fmt::format(" rad=\"{}\"", angle);
  if (unit.factor != 1) exponents += attribute("factor", unit.factor);
  return fmt::format("    <Unit name=\"{}\"><BaseUnit{}/>{}</Unit>\n", xml_escaped(name), exponents,
                     display_units(name));
}

std::string unit_definitions(const FmuVariables& variables) {
  std::map<std::string, Unit> units;
  for (const FmuVariable& variable : variables.list)
    if (const std::optional<Unit> unit = parsed_unit(variable.unit)) units.emplace(variable.unit, *unit);
  if (units.empty()) return "";
  std::string text = "  <UnitDefinitions>\n";
  for (const auto& [name, unit] : units) text += unit_definition(name, unit);
  return text + "  </UnitDefinitions>\n";
}

std::string unit_attributes(const FmuVariable& variable) {
  if (!parsed_unit(variable.unit)) return "";
  const bool is_angle = variable.unit == "rad" && variable.kind != Kind::parameter;
  return attribute("unit", variable.unit) + (is_angle ? attribute("displayUnit", std::string("deg")) : "");
}

// ---------------------------------------------------------------- variables

// Constraints return states to where they belong, and impacts change speeds.
bool is_reinitialized(const FmuVariable& variable) {
  return variable.kind == Kind::state && variable.initial != "exact";
}

std::string number_attributes(const FmuVariable& variable) {
  std::string text = unit_attributes(variable);
  if (variable.nominal > 0) text += attribute("nominal", variable.nominal);
  if (variable.unbounded) text += " unbounded=\"true\"";
  if (variable.start) text += attribute("start", *variable.start);
  if (is_reinitialized(variable)) text += " reinit=\"true\"";
  return text;
}

std::string common_attributes(const FmuVariable& variable, std::size_t place) {
  return attribute("name", variable.name) + fmt::format(" valueReference=\"{}\"", place) +
         attribute("description", variable.description) + attribute("causality", variable.causality) +
         attribute("variability", variable.variability);
}

std::string variable_of_fmi2(const FmuDescription& d, std::size_t place) {
  const FmuVariable& variable = d.variables.list[place];
  std::string real = number_attributes(variable);
  if (variable.kind == Kind::rate)
    real += fmt::format(" derivative=\"{}\"", d.variables.first_state() + variable.index + 1);
  const std::string initial =
      variable.kind == Kind::time || variable.kind == Kind::input ? "" : attribute("initial", variable.initial);
  return fmt::format("    <ScalarVariable{}{}><Real{}/></ScalarVariable>\n", common_attributes(variable, place),
                     initial, real);
}

std::string variable_of_fmi3(const FmuDescription& d, std::size_t place) {
  const FmuVariable& variable = d.variables.list[place];
  std::string rest = attribute("initial", variable.initial) + number_attributes(variable);
  if (variable.kind == Kind::rate)
    rest += fmt::format(" derivative=\"{}\"", d.variables.first_state() + variable.index);
  return fmt::format("    <Float64{}{}/>\n", common_attributes(variable, place), rest);
}

std::string variables_text(const FmuDescription& d) {
  std::string text = "  <ModelVariables>\n";
  for (std::size_t k = 0; k < d.variables.list.size(); ++k) {
    const bool is_indicator = d.variables.list[k].kind == Kind::indicator;
    if (d.version == FmiVersion::fmi3)
      text += variable_of_fmi3(d, k);
    else if (!is_indicator)  // FMI 2.0 counts them, and has no variables for them
      text += variable_of_fmi2(d, k);
  }
  return text + "  </ModelVariables>\n";
}

// ---------------------------------------------------------------- structure

bool is_output(const FmuVariable& variable) { return variable.causality == "output"; }
bool is_rate(const FmuVariable& variable) { return variable.kind == Kind::rate; }
bool is_indicator(const FmuVariable& variable) { return variable.kind == Kind::indicator; }

// What initialization computes: it is the host's to ask for.
bool is_initial_unknown(const FmuVariable& variable) {
  if (variable.initial != "approx" && variable.initial != "calculated") return false;
  return is_output(variable) || is_rate(variable) || variable.kind == Kind::state ||
         variable.causality == "calculatedParameter";
}

using Which = bool (*)(const FmuVariable&);

std::string unknowns_of_fmi2(const FmuDescription& d, const char* list, Which which) {
  std::string text;
  for (std::size_t k = 0; k < d.variables.list.size(); ++k)
    if (which(d.variables.list[k])) text += fmt::format("      <Unknown index=\"{}\"/>\n", k + 1);
  return text.empty() ? "" : fmt::format("    <{}>\n{}    </{}>\n", list, text, list);
}

std::string unknowns_of_fmi3(const FmuDescription& d, const char* element, Which which) {
  std::string text;
  for (std::size_t k = 0; k < d.variables.list.size(); ++k)
    if (which(d.variables.list[k])) text += fmt::format("    <{} valueReference=\"{}\"/>\n", element, k);
  return text;
}

std::string structure_text(const FmuDescription& d) {
  std::string text = "  <ModelStructure>\n";
  if (d.version == FmiVersion::fmi2)
    text += unknowns_of_fmi2(d, "Outputs", is_output) + unknowns_of_fmi2(d, "Derivatives", is_rate) +
            unknowns_of_fmi2(d, "InitialUnknowns", is_initial_unknown);
  else
    text += unknowns_of_fmi3(d, "Output", is_output) + unknowns_of_fmi3(d, "ContinuousStateDerivative", is_rate) +
            unknowns_of_fmi3(d, "InitialUnknown", is_initial_unknown) +
            unknowns_of_fmi3(d, "EventIndicator", is_indicator);
  return text + "  </ModelStructure>\n";
}

// ---------------------------------------------------------------- kinds

std::string source_files(const FmuDescription& d) {
  if (d.sources.empty()) return "/>\n";
  std::string text = ">\n    <SourceFiles>\n";
  for (const std::string& source : d.sources) text += fmt::format("      <File{}/>\n", attribute("name", source));
  return text + "    </SourceFiles>\n";
}

std::string interfaces_of_fmi2(const FmuDescription& d) {
  const std::string common =
      attribute("modelIdentifier", d.identifier) +
      " canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\" providesDirectionalDerivative=\"true\"";
  const std::string files = source_files(d);
  const auto element = [&](const char* name, const std::string& more) {
    return fmt::format("  <{}{}{}{}{}", name, common, more, files,
                       d.sources.empty() ? "" : fmt::format("  </{}>\n", name));
  };
  return element("ModelExchange", "") + element("CoSimulation", " canHandleVariableCommunicationStepSize=\"true\"");
}

std::string interfaces_of_fmi3(const FmuDescription& d) {
  const std::string common =
      attribute("modelIdentifier", d.identifier) +
      " canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" providesDirectionalDerivatives=\"true\""
      " providesAdjointDerivatives=\"true\" providesPerElementDependencies=\"true\"";
  return fmt::format(
      "  <ModelExchange{} needsCompletedIntegratorStep=\"true\"/>\n"
      "  <CoSimulation{} canHandleVariableCommunicationStepSize=\"true\" mightReturnEarlyFromDoStep=\"true\""
      " hasEventMode=\"true\"/>\n",
      common, common);
}

std::string log_categories() {
  return "  <LogCategories>\n"
         "    <Category name=\"logEvents\" description=\"changes of comparisons, stiction, impacts, events of the "
         "model\"/>\n"
         "    <Category name=\"logStatusWarning\"/>\n"
         "    <Category name=\"logStatusDiscard\"/>\n"
         "    <Category name=\"logStatusError\"/>\n"
         "  </LogCategories>\n";
}

std::string head(const FmuDescription& d) {
  const bool is_fmi3 = d.version == FmiVersion::fmi3;
  std::string text = fmt::format("<fmiModelDescription fmiVersion=\"{}\"", is_fmi3 ? "3.0" : "2.0");
  text += attribute("modelName", d.name) + attribute(is_fmi3 ? "instantiationToken" : "guid", d.token);
  text += fmt::format(" generationTool=\"Armature {}\" variableNamingConvention=\"flat\"", version());
  if (!is_fmi3) text += fmt::format(" numberOfEventIndicators=\"{}\"", d.variables.indicators);
  return text + ">\n";
}

}  // namespace

std::string description_text(const FmuDescription& d) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + head(d);
  text += d.version == FmiVersion::fmi3 ? interfaces_of_fmi3(d) : interfaces_of_fmi2(d);
  text += unit_definitions(d.variables) + log_categories();
  text += fmt::format("  <DefaultExperiment startTime=\"0\" stopTime=\"{}\" tolerance=\"{}\" stepSize=\"{}\"/>\n",
                      d.end, d.tolerance, d.step);
  return text + variables_text(d) + structure_text(d) + "</fmiModelDescription>\n";
}

// A terminal for what belongs together by its name: motor.current and motor.voltage are members of `motor`.
std::string terminals_text(const FmuDescription& d) {
  std::map<std::string, std::string> members;
  for (const FmuVariable& variable : d.variables.list) {
    if (variable.causality != "input" && variable.causality != "output") continue;
    const std::string owner = variable.name.substr(0, variable.name.find_first_of(".'"));
    const std::string rest = variable.name.substr(std::min(variable.name.size(), owner.size()));
    const std::string member = rest.empty() ? owner : rest == "'" ? "rate" : rest.substr(1);
    members[owner] +=
        fmt::format("      <TerminalMemberVariable variableName=\"{}\" memberName=\"{}\" variableKind=\"signal\"/>\n",
                    xml_escaped(variable.name), xml_escaped(member));
  }
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiTerminalsAndIcons fmiVersion=\"3.0\">\n"
      "  <GraphicalRepresentation>\n"
      "    <CoordinateSystem x1=\"-100\" y1=\"-100\" x2=\"100\" y2=\"100\" suggestedScalingFactorTo_mm=\"0.1\"/>\n"
      "    <Icon x1=\"-100\" y1=\"-100\" x2=\"100\" y2=\"100\"/>\n"
      "  </GraphicalRepresentation>\n";
  if (!members.empty()) text += "  <Terminals>\n";
  for (const auto& [owner, list] : members)
    text +=
        fmt::format("    <Terminal name=\"{}\" matchingRule=\"bus\">\n{}    </Terminal>\n", xml_escaped(owner), list);
  if (!members.empty()) text += "  </Terminals>\n";
  return text + "</fmiTerminalsAndIcons>\n";
}

}  // namespace armature::internal
