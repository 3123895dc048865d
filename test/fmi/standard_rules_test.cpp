// The documents of an FMU against the rules of the schemas of FMI 2.0 and 3.0. The rules are written down as tables: which elements an
// element has and in what order, which attributes, which of them are required, what their values look like; and the rules that the texts
// of the standards add: names and value references are unique, and what one element names another one declares. Elements that our FMUs
// never have are left out.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "fmi/description.hpp"
#include "fmi/host.hpp"
#include "model/utf8.hpp"

namespace armature::internal::standard {
namespace {

enum class Type {
  text,
  name,
  whole,
  natural,
  number,
  boolean,
  list,
  causality,
  variability,
  initial,
  convention,
  dependency_kinds
};

struct AttributeRule {
  const char* name;
  Type type = Type::text;
  bool required = false;
};
struct ChildRule {
  const char* name;
  int least = 0, most = 1;
};
constexpr int any = 1 << 20;

struct ElementRule {
  std::vector<AttributeRule> attributes;
  std::vector<ChildRule> children = {};  // in this order
};
using Rules = std::map<std::string, ElementRule>;

ElementRule joined(ElementRule a, const std::vector<AttributeRule>& more) {
  a.attributes.insert(a.attributes.end(), more.begin(), more.end());
  return a;
}

// ---------------------------------------------------------------- tables

const std::vector<AttributeRule> about_the_model = {{"description"},
                                                    {"author"},
                                                    {"version"},
                                                    {"copyright"},
                                                    {"license"},
                                                    {"generationTool"},
                                                    {"generationDateAndTime"},
                                                    {"variableNamingConvention", Type::convention}};
const std::vector<AttributeRule> numbers = {{"declaredType"},
                                            {"quantity"},
                                            {"unit"},
                                            {"displayUnit"},
                                            {"relativeQuantity", Type::boolean},
                                            {"unbounded", Type::boolean},
                                            {"min", Type::number},
                                            {"max", Type::number},
                                            {"nominal", Type::number},
                                            {"start", Type::number},
                                            {"derivative", Type::natural},
                                            {"reinit", Type::boolean}};
const std::vector<AttributeRule> of_a_variable = {{"name", Type::name, true},
                                                  {"valueReference", Type::natural, true},
                                                  {"description"},
                                                  {"causality", Type::causality},
                                                  {"variability", Type::variability},
                                                  {"initial", Type::initial},
                                                  {"canHandleMultipleSetPerTimeInstant", Type::boolean}};

const Rules common = {
    {"UnitDefinitions", {{}, {{"Unit", 1, any}}}},
    {"Unit", {{{"name", Type::name, true}}, {{"BaseUnit"}, {"DisplayUnit", 0, any}}}},
    {"BaseUnit",
     {{{"kg", Type::whole},
       {"m", Type::whole},
       {"s", Type::whole},
       {"A", Type::whole},
       {"K", Type::whole},
       {"mol", Type::whole},
       {"cd", Type::whole},
       {"rad", Type::whole},
       {"factor", Type::number},
       {"offset", Type::number}}}},
    {"LogCategories", {{}, {{"Category", 1, any}}}},
    {"Category", {{{"name", Type::name, true}, {"description"}}}},
    {"DefaultExperiment",
     {{{"startTime", Type::number},
       {"stopTime", Type::number},
       {"tolerance", Type::number},
       {"stepSize", Type::number}}}},
};

Rules with(Rules own) {
  own.insert(common.begin(), common.end());
  return own;
}

const ElementRule interface_of_fmi2 = {{{"modelIdentifier", Type::name, true},
                                        {"needsExecutionTool", Type::boolean},
                                        {"canBeInstantiatedOnlyOncePerProcess", Type::boolean},
                                        {"canNotUseMemoryManagementFunctions", Type::boolean},
                                        {"canGetAndSetFMUstate", Type::boolean},
                                        {"canSerializeFMUstate", Type::boolean},
                                        {"providesDirectionalDerivative", Type::boolean}},
                                       {{"SourceFiles"}}};
const ElementRule unknowns = {{}, {{"Unknown", 1, any}}};

const Rules fmi2 = with({
    {"fmiModelDescription", joined({{{"fmiVersion", Type::text, true},
                                     {"modelName", Type::text, true},
                                     {"guid", Type::text, true},
                                     {"numberOfEventIndicators", Type::natural}},
                                    {{"ModelExchange"},
                                     {"CoSimulation"},
                                     {"UnitDefinitions"},
                                     {"TypeDefinitions"},
                                     {"LogCategories"},
                                     {"DefaultExperiment"},
                                     {"VendorAnnotations"},
                                     {"ModelVariables", 1, 1},
                                     {"ModelStructure", 1, 1}}},
                                   about_the_model)},
    {"ModelExchange", joined(interface_of_fmi2, {{"completedIntegratorStepNotNeeded", Type::boolean}})},
    {"CoSimulation", joined(interface_of_fmi2, {{"canHandleVariableCommunicationStepSize", Type::boolean},
                                                {"canInterpolateInputs", Type::boolean},
                                                {"maxOutputDerivativeOrder", Type::natural},
                                                {"canRunAsynchronuously", Type::boolean}})},
    {"SourceFiles", {{}, {{"File", 1, any}}}},
    {"File", {{{"name", Type::name, true}}}},
    {"DisplayUnit", {{{"name", Type::name, true}, {"factor", Type::number}, {"offset", Type::number}}}},
    {"ModelVariables", {{}, {{"ScalarVariable", 1, any}}}},
    {"ScalarVariable", {of_a_variable, {{"Real", 1, 1}}}},
    {"Real", {numbers}},
    {"ModelStructure", {{}, {{"Outputs"}, {"Derivatives"}, {"InitialUnknowns"}}}},
    {"Outputs", unknowns},
    {"Derivatives", unknowns},
    {"InitialUnknowns", unknowns},
    {"Unknown",
     {{{"index", Type::natural, true}, {"dependencies", Type::list}, {"dependenciesKind", Type::dependency_kinds}}}},
});

const ElementRule interface_of_fmi3 = {{{"modelIdentifier", Type::name, true},
                                        {"needsExecutionTool", Type::boolean},
                                        {"canBeInstantiatedOnlyOncePerProcess", Type::boolean},
                                        {"canGetAndSetFMUState", Type::boolean},
                                        {"canSerializeFMUState", Type::boolean},
                                        {"providesDirectionalDerivatives", Type::boolean},
                                        {"providesAdjointDerivatives", Type::boolean},
                                        {"providesPerElementDependencies", Type::boolean},
                                        {"providesEvaluateDiscreteStates", Type::boolean}}};
const ElementRule unknown_of_fmi3 = {{{"valueReference", Type::natural, true},
                                      {"dependencies", Type::list},
                                      {"dependenciesKind", Type::dependency_kinds}}};

const Rules fmi3 = with({
    {"fmiModelDescription",
     joined(
         {{{"fmiVersion", Type::text, true}, {"modelName", Type::text, true}, {"instantiationToken", Type::text, true}},
          {{"ModelExchange"},
           {"CoSimulation"},
           {"ScheduledExecution"},
           {"UnitDefinitions"},
           {"TypeDefinitions"},
           {"LogCategories"},
           {"DefaultExperiment"},
           {"ModelVariables", 1, 1},
           {"ModelStructure", 1, 1},
           {"Annotations"}}},
         about_the_model)},
    {"ModelExchange", joined(interface_of_fmi3, {{"needsCompletedIntegratorStep", Type::boolean}})},
    {"CoSimulation", joined(interface_of_fmi3, {{"canHandleVariableCommunicationStepSize", Type::boolean},
                                                {"fixedInternalStepSize", Type::number},
                                                {"maxOutputDerivativeOrder", Type::natural},
                                                {"recommendedIntermediateInputSmoothness", Type::whole},
                                                {"providesIntermediateUpdate", Type::boolean},
                                                {"mightReturnEarlyFromDoStep", Type::boolean},
                                                {"canReturnEarlyAfterIntermediateUpdate", Type::boolean},
                                                {"hasEventMode", Type::boolean}})},
    {"DisplayUnit",
     {{{"name", Type::name, true}, {"factor", Type::number}, {"offset", Type::number}, {"inverse", Type::boolean}}}},
    {"ModelVariables", {{}, {{"Float64", 1, any}}}},
    {"Float64", joined({of_a_variable}, numbers)},
    {"ModelStructure",
     {{},
      {{"Output", 0, any},
       {"ContinuousStateDerivative", 0, any},
       {"ClockedState", 0, any},
       {"InitialUnknown", 0, any},
       {"EventIndicator", 0, any}}}},
    {"Output", unknown_of_fmi3},
    {"ContinuousStateDerivative", unknown_of_fmi3},
    {"InitialUnknown", unknown_of_fmi3},
    {"EventIndicator", unknown_of_fmi3},
});

const std::vector<AttributeRule> corners = {
    {"x1", Type::number, true}, {"y1", Type::number, true}, {"x2", Type::number, true}, {"y2", Type::number, true}};
const Rules terminals = {
    {"fmiTerminalsAndIcons",
     {{{"fmiVersion", Type::text, true}}, {{"GraphicalRepresentation"}, {"Terminals"}, {"Annotations"}}}},
    {"GraphicalRepresentation", {{}, {{"CoordinateSystem"}, {"Icon"}, {"Annotations"}}}},
    {"CoordinateSystem", joined({corners}, {{"suggestedScalingFactorTo_mm", Type::number, true}})},
    {"Icon", {corners}},
    {"Terminals", {{}, {{"Terminal", 1, any}}}},
    {"Terminal",
     {{{"name", Type::name, true}, {"matchingRule", Type::name, true}, {"terminalKind"}, {"description"}},
      {{"TerminalMemberVariable", 0, any}}}},
    {"TerminalMemberVariable",
     {{{"variableName", Type::name, true}, {"memberName"}, {"variableKind", Type::name, true}}}},
};

const Rules build = {
    {"fmiBuildDescription", {{{"fmiVersion", Type::text, true}}, {{"BuildConfiguration", 1, any}, {"Annotations"}}}},
    {"BuildConfiguration",
     {{{"modelIdentifier", Type::name, true}, {"platform"}, {"description"}},
      {{"SourceFileSet", 0, any}, {"Library", 0, any}}}},
    {"SourceFileSet",
     {{{"name"}, {"language"}, {"compiler"}, {"compilerOptions"}},
      {{"SourceFile", 1, any}, {"PreprocessorDefinition", 0, any}, {"IncludeDirectory", 0, any}}}},
    {"SourceFile", {{{"name", Type::name, true}}}},
    {"PreprocessorDefinition", {{{"name", Type::name, true}, {"value"}, {"optional", Type::boolean}, {"description"}}}},
    {"IncludeDirectory", {{{"name", Type::name, true}}}},
    {"Library", {{{"name", Type::name, true}, {"version"}, {"external", Type::boolean}, {"description"}}}},
};

// ---------------------------------------------------------------- the schema

// What XML may hold.
bool is_text(const std::string& value) {
  for (std::size_t at = 0; at < value.size();) {
    const Utf8Character character = utf8_character(value, at);
    if (character.bytes == 0 || character.code < 0x20) return false;
    at += static_cast<std::size_t>(character.bytes);
  }
  return true;
}

bool is_valid(Type type, const std::string& value) {
  if (!is_text(value)) return false;
  static const std::map<Type, std::regex> patterns = {
      {Type::name, std::regex(".+")},
      {Type::whole, std::regex("-?[0-9]+")},
      {Type::natural, std::regex("[0-9]+")},
      {Type::number, std::regex("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?")},
      {Type::boolean, std::regex("true|false|0|1")},
      {Type::list, std::regex("([0-9]+( [0-9]+)*)?")},
      {Type::causality, std::regex("parameter|calculatedParameter|structuralParameter|input|output|local|independent")},
      {Type::variability, std::regex("constant|fixed|tunable|discrete|continuous")},
      {Type::initial, std::regex("exact|approx|calculated")},
      {Type::convention, std::regex("flat|structured")},
      {Type::dependency_kinds, std::regex("((dependent|constant|fixed|tunable|discrete)( |$))*")}};
  const auto pattern = patterns.find(type);
  return pattern == patterns.end() || std::regex_match(value, pattern->second);
}

class Checker {
 public:
  explicit Checker(const Rules& rules) : rules_(rules) {}
  void check(const pugi::xml_node& node) {
    const auto rule = rules_.find(node.name());
    if (rule == rules_.end()) return fail(node, "is no element of the standard here");
    check_attributes(node, rule->second.attributes);
    check_children(node, rule->second.children);
    for (const pugi::xml_node& child : node.children())
      if (child.type() == pugi::node_element) check(child);
  }
  std::vector<std::string> found;

 private:
  void fail(const pugi::xml_node& node, const std::string& why) {
    found.push_back(fmt::format("<{}{}> {}", node.name(),
                                node.attribute("name") ? fmt::format(" {}", node.attribute("name").value()) : "", why));
  }
  void check_attributes(const pugi::xml_node& node, const std::vector<AttributeRule>& rules) {
    for (const AttributeRule& rule : rules)
      if (rule.required && !node.attribute(rule.name)) fail(node, fmt::format("lacks '{}'", rule.name));
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      const auto rule = std::ranges::find_if(
          rules, [&](const AttributeRule& each) { return std::string(each.name) == attribute.name(); });
      if (rule == rules.end())
        fail(node, fmt::format("has no '{}'", attribute.name()));
      else if (!is_valid(rule->type, attribute.value()))
        fail(node, fmt::format("has {}=\"{}\"", attribute.name(), attribute.value()));
    }
  }
  void check_children(const pugi::xml_node& node, const std::vector<ChildRule>& rules) {
    std::size_t place = 0;
    std::map<std::string, int> count;
    for (const pugi::xml_node& child : node.children()) {
      if (child.type() != pugi::node_element) continue;
      ++count[child.name()];
      while (place < rules.size() && std::string(rules[place].name) != child.name()) ++place;
      if (place == rules.size()) return fail(node, fmt::format("has <{}> where it does not belong", child.name()));
    }
    for (const ChildRule& rule : rules)
      if (count[rule.name] < rule.least || count[rule.name] > rule.most)
        fail(node, fmt::format("has {} <{}>", count[rule.name], rule.name));
  }

  const Rules& rules_;
};

// ---------------------------------------------------------------- what the texts of the standards add

std::string value_of(const pugi::xml_node& node, const char* name) { return node.attribute(name).value(); }

// Variables in the order of the document, with the element that has unit and start.
struct DescribedVariable {
  pugi::xml_node own, real;
};

class Sense {
 public:
  Sense(const pugi::xml_node& root, std::vector<std::string>& found) : root_(root), found_(found) {
    for (const pugi::xml_node& variable : root.child("ModelVariables"))
      variables_.push_back({variable, variable.child("Real") ? variable.child("Real") : variable});
  }
  void check() {
    check_units();
    check_names();
    check_states();
    check_structure();
  }

 private:
  bool is_fmi3() const { return value_of(root_, "fmiVersion") == "3.0"; }

  void check_units() {
    std::map<std::string, std::set<std::string>> units;  // with their display units
    for (const pugi::xml_node& unit : root_.child("UnitDefinitions")) {
      if (units.contains(value_of(unit, "name"))) found_.push_back("two units are called " + value_of(unit, "name"));
      std::set<std::string>& displays = units[value_of(unit, "name")];
      for (const pugi::xml_node& display : unit.children("DisplayUnit")) displays.insert(value_of(display, "name"));
    }
    for (const DescribedVariable& variable : variables_) {
      const std::string unit = value_of(variable.real, "unit"), display = value_of(variable.real, "displayUnit");
      if (!unit.empty() && !units.contains(unit)) found_.push_back(fmt::format("the unit {} is not defined", unit));
      if (!display.empty() && !units[unit].contains(display))
        found_.push_back(fmt::format("{} is no display unit of {}", display, unit));
    }
  }

  void check_names() {
    std::set<std::string> names, references;
    int independent = 0;
    for (const DescribedVariable& variable : variables_) {
      const std::string name = value_of(variable.own, "name");
      if (!names.insert(name).second) found_.push_back(fmt::format("two variables are called {}", name));
      if (!references.insert(value_of(variable.own, "valueReference")).second)
        found_.push_back(fmt::format("{} shares its value reference", name));
      independent += value_of(variable.own, "causality") == "independent";
      check_start(variable, name);
    }
    if (independent > 1 || (is_fmi3() && independent != 1)) found_.push_back("there must be one independent variable");
  }

  void check_start(const DescribedVariable& variable, const std::string& name) {
    const std::string causality = value_of(variable.own, "causality"), initial = value_of(variable.own, "initial");
    const bool has_start = variable.real.attribute("start");
    const bool needs = causality == "input" || causality == "parameter" || initial == "exact" || initial == "approx";
    const bool forbids = causality == "independent" || initial == "calculated";
    if (needs && !has_start) found_.push_back(name + " needs a start value");
    if (forbids && has_start) found_.push_back(name + " must not have a start value");
    if ((causality == "input" || causality == "independent") && !initial.empty() && !(is_fmi3() && initial == "exact"))
      found_.push_back(name + " must not have 'initial'");
    const std::string variability = value_of(variable.own, "variability");
    const bool is_parameter = causality == "parameter" || causality == "calculatedParameter";
    if (is_parameter != (variability == "fixed" || variability == "tunable"))
      found_.push_back(name + " has a variability of others");
  }

  // In 3.0 by value reference, in 2.0 by place from 1.
  const DescribedVariable* variable_at(const std::string& number) const {
    if (!is_fmi3()) {
      const std::size_t place = std::strtoul(number.c_str(), nullptr, 10);
      return place >= 1 && place <= variables_.size() ? &variables_[place - 1] : nullptr;
    }
    const auto same = [&](const DescribedVariable& variable) {
      return value_of(variable.own, "valueReference") == number;
    };
    const auto at = std::ranges::find_if(variables_, same);
    return at == variables_.end() ? nullptr : &*at;
  }

  void check_states() {
    for (const DescribedVariable& variable : variables_) {
      const std::string of = value_of(variable.real, "derivative");
      if (of.empty()) continue;
      const DescribedVariable* state = variable_at(of);
      if (!state)
        found_.push_back(value_of(variable.own, "name") + " is the derivative of nothing");
      else if (value_of(state->own, "variability") != "continuous")
        found_.push_back(value_of(state->own, "name") + " is a state, but not continuous");
      else
        states_.insert(value_of(state->own, "name"));
    }
  }

  std::set<std::string> listed(const char* list_of_fmi2, const char* element_of_fmi3) {
    std::set<std::string> names;
    const pugi::xml_node structure = root_.child("ModelStructure");
    const pugi::xml_node list = is_fmi3() ? structure : structure.child(list_of_fmi2);
    for (const pugi::xml_node& node : list.children(is_fmi3() ? element_of_fmi3 : "Unknown")) {
      const std::string number = value_of(node, is_fmi3() ? "valueReference" : "index");
      const DescribedVariable* variable = variable_at(number);
      if (!variable)
        found_.push_back(fmt::format("the structure lists {}, which is no variable", number));
      else if (!names.insert(value_of(variable->own, "name")).second)
        found_.push_back(fmt::format("the structure lists {} twice", number));
    }
    return names;
  }

  void require(const char* what, const std::set<std::string>& listed, const std::set<std::string>& wanted) {
    for (const std::string& name : wanted)
      if (!listed.contains(name)) found_.push_back(fmt::format("{} lack {}", what, name));
    for (const std::string& name : listed)
      if (!wanted.contains(name)) found_.push_back(fmt::format("{} list {}, which is none", what, name));
  }

  void check_structure() {
    std::set<std::string> outputs, rates, unknowns;
    for (const DescribedVariable& variable : variables_) {
      const std::string name = value_of(variable.own, "name"), initial = value_of(variable.own, "initial");
      const bool is_output = value_of(variable.own, "causality") == "output",
                 is_rate = variable.real.attribute("derivative");
      if (is_output) outputs.insert(name);
      if (is_rate) rates.insert(name);
      const bool counts = is_output || is_rate || states_.contains(name) ||
                          value_of(variable.own, "causality") == "calculatedParameter";
      if (counts && (initial == "approx" || initial == "calculated")) unknowns.insert(name);
    }
    require("outputs", listed("Outputs", "Output"), outputs);
    require("derivatives", listed("Derivatives", "ContinuousStateDerivative"), rates);
    require("initial unknowns", listed("InitialUnknowns", "InitialUnknown"), unknowns);
    if (is_fmi3()) listed("", "EventIndicator");
  }

  const pugi::xml_node root_;
  std::vector<std::string>& found_;
  std::vector<DescribedVariable> variables_;
  std::set<std::string> states_;
};

// What is wrong with a document, a sentence each; its root says which one it is.
std::vector<std::string> violations(const pugi::xml_document& document) {
  const pugi::xml_node root = document.document_element();
  const std::string name = root.name(), version = value_of(root, "fmiVersion");
  if (version != "2.0" && version != "3.0") return {"fmiVersion is " + version};
  const bool is_description = name == "fmiModelDescription";
  Checker checker(!is_description    ? (name == "fmiTerminalsAndIcons" ? terminals : build)
                  : version == "3.0" ? fmi3
                                     : fmi2);
  checker.check(root);
  if (is_description) {
    if (!root.child("ModelExchange") && !root.child("CoSimulation")) checker.found.push_back("there is no interface");
    Sense(root, checker.found).check();
  }
  return checker.found;
}

using testing::Contains;
using testing::IsEmpty;

// Every kind of variable, of unit and of event.
constexpr const char* of_every_kind = R"(
armature: 1
name: machine <of> "every" kind
gravity: [0, -9.81, 0]
plane: xy
parameters: {l: 0.3 m, m: 1 kg, c: m*l^2}
inputs: {u: {unit: V}, aim: {unit: rad}, share: {}}
bodies: {bar: {mass: m, center: [l, 0, 0], inertia: {zz: c}}}
joints: {hinge: {type: revolute, axis: z, between: [ground, bar], friction: 0.1 N*m}}
drives: {motor: {type: dc_motor, on: hinge, voltage: u, torque_constant: 0.05 N*m/A, resistance: 0.5 Ohm, inductance: 1 mH}}
controllers: {hold: {type: formula, is: aim*share, sampled: {period: 10 ms}}}
states: {warmth: {unit: K, start: 293 K, rate: 1 K/s}}
record: {quantities: {tip: l*sin(hinge)}, events: {up: hinge}}
)";

pugi::xml_document parsed_file(const std::filesystem::path& file) {
  pugi::xml_document document;
  EXPECT_TRUE(document.load_file(file.c_str())) << file;
  return document;
}

// With the schemas of the standards in the folders fmi2 and fmi3 of $ARMATURE_FMI_SCHEMAS, xmllint validates a document by them.
void expect_schema(const char* schema, const std::filesystem::path& file) {
  const char* folder = std::getenv("ARMATURE_FMI_SCHEMAS");
  if (!folder) return;
  const std::string command = fmt::format("xmllint --noout --schema '{}/{}.xsd' '{}'", folder, schema, file.string());
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

class StandardRules : public testing::TestWithParam<std::tuple<FmiVersion, const char*>> {};
INSTANTIATE_TEST_SUITE_P(, StandardRules,
                         testing::Combine(testing::Values(FmiVersion::fmi2, FmiVersion::fmi3),
                                          testing::Values(of_every_kind, "models/rrr.yaml", "models/delta.yaml",
                                                          "models/press.yaml")));

TEST_P(StandardRules, HoldForEveryDocumentOfTheArchive) {
  const auto [version, model] = GetParam();
  const UnpackedFmu fmu(model, version);
  EXPECT_THAT(violations(fmu.xml), IsEmpty());
  const bool is_fmi3 = version == FmiVersion::fmi3;
  expect_schema(is_fmi3 ? "fmi3/fmi3ModelDescription" : "fmi2/fmi2ModelDescription",
                fmu.folder() / "modelDescription.xml");
  if (!is_fmi3) return;
  for (const auto& [file, schema] : {std::pair{"terminalsAndIcons/terminalsAndIcons.xml", "fmi3/fmi3TerminalsAndIcons"},
                                     std::pair{"sources/buildDescription.xml", "fmi3/fmi3BuildDescription"}}) {
    EXPECT_THAT(violations(parsed_file(fmu.folder() / file)), IsEmpty()) << file;
    expect_schema(schema, fmu.folder() / file);
  }
}

// A model without a name has that of its file, which may hold any bytes.
TEST(RulesOfTheStandards, HoldForNamesThatAreNotUtf8) {
  const UnpackedFmu fmu(of_every_kind, FmiVersion::fmi3);
  pugi::xml_document broken;
  broken.reset(fmu.xml);
  broken.document_element().attribute("modelName") = "caf\xe9\x01";
  EXPECT_THAT(violations(broken), Contains("<fmiModelDescription> has modelName=\"caf\xe9\x01\""));
  FmuDescription d;
  d.name = "caf\xe9\x01";
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(description_text(d).c_str()));
  EXPECT_EQ(std::string(document.document_element().attribute("modelName").value()), "caf\uFFFD ");
}

// The rules can be broken, each in its way.
TEST(RulesOfTheStandards, FindWhatIsWrong) {
  const UnpackedFmu fmu(of_every_kind, FmiVersion::fmi3);
  const auto found_after = [&](const auto& change) {
    pugi::xml_document document;
    document.reset(fmu.xml);
    change(document.document_element());
    return violations(document);
  };
  const auto variable = [](pugi::xml_node root, const char* name) {
    return root.child("ModelVariables").find_child_by_attribute("name", name);
  };
  EXPECT_THAT(found_after([](pugi::xml_node) {}), IsEmpty());
  EXPECT_THAT(found_after([](pugi::xml_node root) { root.remove_attribute("instantiationToken"); }),
              Contains("<fmiModelDescription> lacks 'instantiationToken'"));
  EXPECT_THAT(found_after([](pugi::xml_node root) { root.prepend_move(root.child("ModelVariables")); }),
              Contains("<fmiModelDescription> has <ModelExchange> where it does not belong"));
  EXPECT_THAT(found_after([](pugi::xml_node root) { root.child("CoSimulation").append_attribute("fast") = "true"; }),
              Contains("<CoSimulation> has no 'fast'"));
  EXPECT_THAT(found_after([&](pugi::xml_node root) { variable(root, "m").attribute("start") = "one"; }),
              Contains("<Float64 m> has start=\"one\""));
  EXPECT_THAT(found_after([&](pugi::xml_node root) { variable(root, "m").attribute("valueReference") = "-1"; }),
              Contains("<Float64 m> has valueReference=\"-1\""));
  EXPECT_THAT(found_after([&](pugi::xml_node root) { variable(root, "u").remove_attribute("start"); }),
              Contains("u needs a start value"));
  EXPECT_THAT(found_after([&](pugi::xml_node root) { variable(root, "m").attribute("valueReference") = "0"; }),
              Contains("m shares its value reference"));
  EXPECT_THAT(found_after([&](pugi::xml_node root) { variable(root, "u").attribute("unit") = "parsec"; }),
              Contains("the unit parsec is not defined"));
  EXPECT_THAT(found_after([](pugi::xml_node root) { root.child("ModelStructure").remove_child("Output"); }),
              Contains(testing::StartsWith("outputs lack ")));
  EXPECT_THAT(found_after([&](pugi::xml_node root) { variable(root, "der(hinge)").attribute("derivative") = "999"; }),
              Contains("der(hinge) is the derivative of nothing"));
}

}  // namespace
}  // namespace armature::internal::standard
