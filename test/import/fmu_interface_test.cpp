#include "import/fmu_interface.hpp"

#include <gmock/gmock.h>

#include "import/zip.hpp"
#include "model/request_error.hpp"

namespace armature::internal {
namespace {

FmuInterface described(const std::string& description) {
  return fmu_interface(zip_of({{"modelDescription.xml", description}}));
}

std::string why_not_coupled(const std::string& description) {
  try {
    described(description);
  } catch (const RequestError& error) {
    return error.what();
  }
  return "";
}

const std::string of_3 =
    "<fmiModelDescription fmiVersion=\"3.0\" instantiationToken=\"{7}\" modelName=\"plant\">"
    "<CoSimulation modelIdentifier=\"plant_3\"/>";

TEST(FmuInterface, OfVersion3NamesVariablesByTheirType) {
  const FmuInterface fmu = described(
      of_3 +
      "<ModelVariables><Float64 name=\"u\" valueReference=\"5\" causality=\"input\" start=\"2.5\" unit=\"mm\"/>"
      "<Int32 name=\"n\" valueReference=\"6\" causality=\"output\"/>"
      "<Boolean name=\"b\" valueReference=\"7\" causality=\"parameter\" start=\"true\"/>"
      "<Float64 name=\"list\" valueReference=\"8\" causality=\"input\"><Dimension start=\"3\"/></Float64>"
      "<Float64 name=\"own\" valueReference=\"9\" causality=\"local\"/></ModelVariables></fmiModelDescription>");
  EXPECT_EQ(fmu.version, 3);
  EXPECT_EQ(fmu.token, "{7}");
  EXPECT_EQ(fmu.identifier, "plant_3");
  ASSERT_EQ(fmu.inputs.size(), 1u);  // without the list
  EXPECT_EQ(fmu.inputs[0].reference, 5u);
  EXPECT_NEAR(fmu.inputs[0].factor, 1e-3, 1e-18);
  EXPECT_NEAR(*fmu.inputs[0].start, 2.5e-3, 1e-18);
  EXPECT_EQ(fmu.inputs[0].unit, "m");
  ASSERT_EQ(fmu.outputs.size(), 1u);
  EXPECT_EQ(fmu.outputs[0].type, FmuPort::Type::integer);
  ASSERT_EQ(fmu.parameters.size(), 1u);
  EXPECT_EQ(fmu.parameters[0].start, 1);
}

// 20 degC are 293.15 K, a difference of 20 degC is 20 K: SI = factor value + offset.
TEST(FmuInterface, OfVersion2KnowsUnitsByDefinition) {
  const FmuInterface fmu = described(
      "<fmiModelDescription fmiVersion=\"2.0\" guid=\"g\" modelName=\"m\"><CoSimulation modelIdentifier=\"m\"/>"
      "<UnitDefinitions><Unit name=\"degC\"><BaseUnit K=\"1\" offset=\"273.15\"/></Unit>"
      "<Unit name=\"rpm\"><BaseUnit s=\"-1\" rad=\"1\" factor=\"0.5\"/></Unit></UnitDefinitions>"
      "<TypeDefinitions><SimpleType name=\"Speed\"><Real unit=\"rpm\"/></SimpleType></TypeDefinitions><ModelVariables>"
      "<ScalarVariable name=\"T\" valueReference=\"1\" causality=\"input\"><Real unit=\"degC\" "
      "start=\"20\"/></ScalarVariable>"
      "<ScalarVariable name=\"dT\" valueReference=\"2\" causality=\"input\"><Real unit=\"degC\" "
      "relativeQuantity=\"true\" start=\"20\"/></ScalarVariable>"
      "<ScalarVariable name=\"w\" valueReference=\"3\" causality=\"output\"><Real "
      "declaredType=\"Speed\"/></ScalarVariable>"
      "</ModelVariables></fmiModelDescription>");
  EXPECT_EQ(fmu.version, 2);
  EXPECT_EQ(fmu.token, "g");
  EXPECT_NEAR(*fmu.inputs.at(0).start, 293.15, 1e-12);
  EXPECT_EQ(fmu.inputs[0].unit, "K");
  EXPECT_NEAR(*fmu.inputs.at(1).start, 20, 1e-12);
  EXPECT_EQ(fmu.outputs.at(0).unit, "rad/s");
  EXPECT_EQ(fmu.outputs[0].factor, 0.5);
}

TEST(FmuInterface, RefusesWhatCannotBeCoupled) {
  EXPECT_EQ(why_not_coupled(of_3 + "</fmiModelDescription>"), "");
  EXPECT_THAT(why_not_coupled("<a/>"), testing::HasSubstr("does not begin with <fmiModelDescription>"));
  EXPECT_THAT(why_not_coupled("<fmiModelDescription fmiVersion=\"1.0\"/>"),
              testing::HasSubstr("the FMU is of FMI '1.0'"));
  EXPECT_THAT(why_not_coupled("<fmiModelDescription fmiVersion=\"3.0\"/>"), testing::HasSubstr("has no co-simulation"));
  EXPECT_THAT(
      why_not_coupled(
          "<fmiModelDescription fmiVersion=\"3.0\"><CoSimulation modelIdentifier=\"a/b\"/></fmiModelDescription>"),
      testing::HasSubstr("'a/b' of the FMU is not a name"));
  EXPECT_THAT(why_not_coupled("<fmiModelDescription fmiVersion=\"3.0\"><CoSimulation modelIdentifier=\"a\" "
                              "needsExecutionTool=\"true\"/></fmiModelDescription>"),
              testing::HasSubstr("needs the tool that made it"));
}

}  // namespace
}  // namespace armature::internal
