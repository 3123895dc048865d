// modelDescription.xml and the archive, by the rules of the standards.
#include <gmock/gmock.h>

#include <regex>
#include <set>

#include "fmi/fmu_folder.hpp"
#include "fmi/host.hpp"
#include "model/request_error.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

constexpr const char* described = R"(
armature: 1
name: a & b
gravity: [0, -9.81, 0]
plane: xy
parameters: {l: 0.3 m, m: 1 kg, c: m*l^2}
inputs: {u: {unit: N*m}, aim: {unit: rad}}
bodies: {bar: {mass: m, center: [l, 0, 0], inertia: {zz: c}}}
joints: {hinge: {type: revolute, axis: z, between: [ground, bar], friction: 0.1 N*m}}
forces: {push: {type: effort, on: hinge, is: u}}
)";

std::string text_of(const pugi::xml_node& node, const char* name) { return node.attribute(name).value(); }

// What both versions ask of every variable; `real`: the element that has start and unit.
void expect_sound_variable(const pugi::xml_node& variable, const pugi::xml_node& real,
                           const std::set<std::string>& units) {
  const std::string causality = text_of(variable, "causality"), variability = text_of(variable, "variability");
  const std::string initial = text_of(variable, "initial"), name = text_of(variable, "name");
  const bool has_start = real.attribute("start");
  EXPECT_FALSE(name.empty());
  if (const std::string unit = text_of(real, "unit"); !unit.empty()) {
    EXPECT_TRUE(units.contains(unit)) << name << ": " << unit;
  }
  if (causality == "independent") {
    EXPECT_FALSE(has_start);
    EXPECT_TRUE(initial.empty());
  } else if (causality == "input") {
    EXPECT_TRUE(has_start);
    EXPECT_TRUE(initial.empty()) << name;
  } else if (causality == "parameter") {
    EXPECT_TRUE(has_start);
    EXPECT_EQ(initial, "exact");
    EXPECT_EQ(variability, "tunable");
  } else if (causality == "calculatedParameter") {
    EXPECT_FALSE(has_start);
    EXPECT_EQ(initial, "calculated");
    EXPECT_EQ(variability, "tunable");
  } else {
    EXPECT_THAT(causality, testing::AnyOf("output", "local"));
    EXPECT_EQ(variability, "continuous");
    EXPECT_EQ(has_start, initial != "calculated") << name;  // exact and approx have one
  }
  if (real.attribute("reinit")) {
    EXPECT_TRUE(initial == "approx" || initial == "calculated");
  }
}

TEST(FmuDescription, OfFmi3FollowsTheRules) {
  const UnpackedFmu fmu(described, FmiVersion::fmi3);
  const pugi::xml_node root = fmu.xml.document_element();
  EXPECT_STREQ(root.name(), "fmiModelDescription");
  EXPECT_EQ(text_of(root, "fmiVersion"), "3.0");
  EXPECT_EQ(text_of(root, "modelName"), "a & b");
  std::vector<std::string> order;
  for (const pugi::xml_node& child : root) order.emplace_back(child.name());
  EXPECT_THAT(order, testing::ElementsAre("ModelExchange", "CoSimulation", "UnitDefinitions", "LogCategories",
                                          "DefaultExperiment", "ModelVariables", "ModelStructure"));
  std::set<std::string> units, names;
  for (const pugi::xml_node& unit : root.child("UnitDefinitions"))
    EXPECT_TRUE(units.insert(text_of(unit, "name")).second);
  std::map<unsigned, pugi::xml_node> variables;
  for (const pugi::xml_node& variable : root.child("ModelVariables")) {
    EXPECT_STREQ(variable.name(), "Float64");
    EXPECT_TRUE(variables.emplace(variable.attribute("valueReference").as_uint(), variable).second);
    EXPECT_TRUE(names.insert(text_of(variable, "name")).second);
    expect_sound_variable(variable, variable, units);
  }
  // what the structure must list: all outputs, all rates of states, all that initialization computes, all indicators
  const auto listed = [&](const char* element) {
    std::set<unsigned> list;
    for (const pugi::xml_node& node : root.child("ModelStructure").children(element)) {
      EXPECT_TRUE(list.insert(node.attribute("valueReference").as_uint()).second);
      EXPECT_TRUE(variables.contains(node.attribute("valueReference").as_uint()));
    }
    return list;
  };
  std::set<unsigned> outputs, rates, initial;
  for (const auto& [reference, variable] : variables) {
    const bool is_output = text_of(variable, "causality") == "output", is_rate = variable.attribute("derivative");
    if (is_output) outputs.insert(reference);
    if (is_rate) rates.insert(reference);
  }
  std::set<unsigned> states;
  for (const unsigned rate : rates) states.insert(variables[rate].attribute("derivative").as_uint());
  EXPECT_EQ(states.size(), rates.size());
  for (const auto& [reference, variable] : variables) {
    const std::string value = text_of(variable, "initial");
    const bool is_unknown = value == "approx" || value == "calculated";
    if (is_unknown && (outputs.contains(reference) || rates.contains(reference) || states.contains(reference) ||
                       text_of(variable, "causality") == "calculatedParameter"))
      initial.insert(reference);
  }
  EXPECT_EQ(listed("Output"), outputs);
  EXPECT_EQ(listed("ContinuousStateDerivative"), rates);
  EXPECT_EQ(listed("InitialUnknown"), initial);
  EXPECT_EQ(listed("EventIndicator").size(), 1u);
  EXPECT_TRUE(std::filesystem::is_regular_file(fmu.folder() / "terminalsAndIcons/terminalsAndIcons.xml"));
  pugi::xml_document terminals;
  ASSERT_TRUE(terminals.load_file((fmu.folder() / "terminalsAndIcons/terminalsAndIcons.xml").c_str()));
  for (const pugi::xml_node& terminal : terminals.document_element().child("Terminals"))
    for (const pugi::xml_node& member : terminal) EXPECT_TRUE(names.contains(text_of(member, "variableName")));
}

TEST(FmuDescription, OfFmi2FollowsTheRules) {
  const UnpackedFmu fmu(described, FmiVersion::fmi2);
  const pugi::xml_node root = fmu.xml.document_element();
  EXPECT_EQ(text_of(root, "fmiVersion"), "2.0");
  EXPECT_EQ(text_of(root, "numberOfEventIndicators"), "1");
  std::set<std::string> units, names;
  for (const pugi::xml_node& unit : root.child("UnitDefinitions")) units.insert(text_of(unit, "name"));
  std::vector<pugi::xml_node> variables;
  for (const pugi::xml_node& variable : root.child("ModelVariables")) {
    EXPECT_STREQ(variable.name(), "ScalarVariable");
    EXPECT_TRUE(names.insert(text_of(variable, "name")).second);
    expect_sound_variable(variable, variable.child("Real"), units);
    variables.push_back(variable);
  }
  const auto listed = [&](const char* list) {
    std::vector<unsigned> indices;
    for (const pugi::xml_node& node : root.child("ModelStructure").child(list))
      indices.push_back(node.attribute("index").as_uint());
    EXPECT_TRUE(std::ranges::is_sorted(indices)) << list;
    return indices;
  };
  std::vector<unsigned> outputs, rates;
  for (unsigned k = 0; k < variables.size(); ++k) {
    if (text_of(variables[k], "causality") == "output") outputs.push_back(k + 1);
    if (variables[k].child("Real").attribute("derivative")) rates.push_back(k + 1);
  }
  EXPECT_EQ(listed("Outputs"), outputs);
  EXPECT_EQ(listed("Derivatives"), rates);
  EXPECT_FALSE(listed("InitialUnknowns").empty());
}

TEST(FmuDescription, GivesUnitsWithTheirDimensionsAndDisplayUnits) {
  const UnpackedFmu fmu(described, FmiVersion::fmi3);
  std::map<std::string, pugi::xml_node> units;
  for (const pugi::xml_node& unit : fmu.xml.document_element().child("UnitDefinitions"))
    units[text_of(unit, "name")] = unit;
  ASSERT_TRUE(units.contains("rad") && units.contains("rad/s") && units.contains("kg"));
  EXPECT_EQ(text_of(units["rad"].child("BaseUnit"), "rad"), "1");
  EXPECT_EQ(text_of(units["rad"].child("DisplayUnit"), "name"), "deg");
  EXPECT_EQ(text_of(units["rad/s"].child("BaseUnit"), "s"), "-1");
  for (const pugi::xml_node& variable : fmu.xml.document_element().child("ModelVariables"))
    if (text_of(variable, "name") == "aim") {
      EXPECT_EQ(text_of(variable, "unit"), "rad");  // an angle that the host sets is one
    }
}

TEST(FmuArchive, HasTheSameBytesEveryTimeAndTheFilesThatTheModelNames) {
  TemporaryFolder folder;
  std::filesystem::create_directories(folder / "data");
  std::ofstream(folder / "data/load.csv") << "x, y\n0, 0\n1, 2\n2, 3\n";
  const std::string text = std::string(described) + "tables: {load: {file: data/load.csv}}\n";
  const auto archive = [&] {
    return export_fmu(text, (folder / "a.yaml").string(), {{"m", "2"}}, FmiVersion::fmi3, "a", fmu_directory).archive;
  };
  EXPECT_EQ(archive(), archive());
  std::set<std::string> names;
  for (const auto& [name, bytes] : files_of_zip(archive())) names.insert(name);
  for (const char* name : {"modelDescription.xml", "binaries/x86_64-linux/a.so", "resources/a.yaml",
                           "resources/data/load.csv", "resources/armature.txt", "terminalsAndIcons/icon.png",
                           "documentation/licenses/license.txt", "documentation/licenses/THIRD_PARTY_NOTICES"})
    EXPECT_TRUE(names.contains(name)) << name;
}

// FMI 3.0, 2.5.2: where terminalsAndIcons.xml has an <Icon>, icon.png is beside it; FMI 2.0, 2.3: model.png.
TEST(FmuArchive, HoldsFilesOfItsRootOnly) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "in");
  std::ofstream(folder / "t.csv") << "x,y\n0,1\n1,2\n";
  const std::string text =
      "armature: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 1, inertia: none}}\n"
      "joints: {j: {type: prismatic, axis: x, between: [ground, b]}}\ntables: {f: {file: ../t.csv}}\n"
      "forces: {e: {type: effort, on: j, is: 1 N*f(0.5)}}\n";
  const auto exported = [&](const std::string& root) {
    return export_fmu(text, (folder / "in/a.yaml").string(), {}, FmiVersion::fmi3, "a", fmu_directory, root).archive;
  };
  EXPECT_THROW(exported(""), ModelError);
  unpack_zip(exported(folder.path().string()), folder / "out");
  EXPECT_EQ(read_file(folder / "out/resources/t.csv"), "x,y\n0,1\n1,2\n");
  EXPECT_EQ(read_file(folder / "out/resources/in/a.yaml"), text);
  std::filesystem::remove(folder / "t.csv");  // it runs with what it holds
  std::istringstream list(read_file(folder / "out/resources/armature.txt").value_or(""));
  std::string word, token;
  list >> word >> token;
  EXPECT_EQ(machine_with(fmu_model(folder / "out/resources", token), {}).prepared.failure, "");
}

TEST(FmuArchive, HasAnIcon) {
  for (const auto& [version, place] :
       {std::pair(FmiVersion::fmi2, "model.png"), std::pair(FmiVersion::fmi3, "terminalsAndIcons/icon.png")}) {
    const UnpackedFmu fmu(described, version);
    std::ifstream in(fmu.folder() / place, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    ASSERT_GT(bytes.size(), 100u) << place;
    EXPECT_EQ(bytes.substr(0, 8), "\x89PNG\r\n\x1a\n");
    EXPECT_EQ(bytes.substr(12, 12), std::string("IHDR\0\0\0\x40\0\0\0\x40", 12));  // 64 by 64
    EXPECT_EQ(bytes.substr(bytes.size() - 8), "IEND\xae\x42\x60\x82");  // the check sum that the specification prints
  }
}

TEST(FmuArchive, IsReadWithCare) {
  const std::string archive = zip_of({{"a.txt", "hello"}, {"b/c.txt", std::string(100000, 'x')}});
  EXPECT_EQ(files_of_zip(archive)[1].second.size(), 100000u);
  EXPECT_LT(archive.size(), 1000u);
  // every archive with one wrong byte is read as it was, or refused
  for (std::size_t k = 0; k < archive.size(); ++k)
    for (const char other : {'\x00', '\xff', '\x7f'}) {
      std::string damaged = archive;
      damaged[k] = other;
      try {
        files_of_zip(damaged);
      } catch (const RequestError&) {
      }
    }
  for (std::size_t size = 0; size < archive.size(); ++size)
    EXPECT_THROW(files_of_zip(archive.substr(0, size)), RequestError);
  for (const char* name : {"../a", "/etc/passwd", "a/../../b", "a\\b", ""})
    EXPECT_THROW(files_of_zip(zip_of({{name, "x"}})), RequestError) << name;
}

}  // namespace
}  // namespace armature::internal
