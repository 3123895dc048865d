// What an FMU says of itself may be large: it is measured before it is unpacked, and read in proportion.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <ctime>
#include <fstream>

#include "import/fmu_interface.hpp"
#include "import/zip.hpp"
#include "model/request_error.hpp"
#include "prepare/prepare.hpp"
#include "read/reader.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {
namespace {

std::string description_of(const std::string& variables) {
  return "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\"><CoSimulation "
         "modelIdentifier=\"m\"/><ModelVariables>" +
         variables + "</ModelVariables></fmiModelDescription>";
}

// 1.5 MB became 1.5 GB.
TEST(LargeFmu, IsMeasuredBeforeItIsUnpacked) {
  const std::string archive = zip_of({{"modelDescription.xml", description_of(std::string(80 << 20, ' '))}});
  EXPECT_LT(archive.size(), 100'000u);
  try {
    fmu_interface(archive);
    FAIL();
  } catch (const RequestError& error) {
    EXPECT_STREQ(error.what(), "modelDescription.xml unpacks to 80 MB, more than 64 MB");
  }
}

// It took 20 s.
TEST(LargeFmu, WithManyOutputsIsReadInProportion) {
  std::string outputs;
  for (int k = 0; k < 200'000; ++k)
    outputs += fmt::format(
        "<ScalarVariable name=\"y{0}\" valueReference=\"{0}\" causality=\"output\"><Real "
        "unit=\"rad\"/></ScalarVariable>\n",
        k);
  const TemporaryFolder folder;
  std::ofstream(folder / "many.fmu", std::ios::binary) << zip_of({{"modelDescription.xml", description_of(outputs)}});
  const std::clock_t began = std::clock();
  const Model model = read_model_text(
      "armature: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 1, inertia: none}}\n"
      "joints: {j: {type: prismatic, axis: x, between: [ground, b]}}\n"
      "fmus: {f: {file: many.fmu, step: 0.01}}\n"
      "forces: {e: {type: effort, on: j, is: \"1 N*f.y3\"}}\nsimulate: {end: 1}\n",
      (folder / "m.yaml").string());
  EXPECT_EQ(model.inputs.size(), 200'000u);
  const Prepared prepared = compile(model);
  EXPECT_LT(static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC, 5);
}

}  // namespace
}  // namespace armature::internal
