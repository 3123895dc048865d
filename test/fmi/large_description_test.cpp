// What an FMU says of itself may be large: it is measured before it is unpacked.
#include <gmock/gmock.h>

#include "import/fmu_interface.hpp"
#include "import/zip.hpp"
#include "model/request_error.hpp"

namespace armature::internal {
namespace {

std::string described(const std::string& variables) {
  return "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\"><CoSimulation "
         "modelIdentifier=\"m\"/><ModelVariables>" +
         variables + "</ModelVariables></fmiModelDescription>";
}

// 1.5 MB became 1.5 GB.
TEST(LargeFmu, IsMeasuredBeforeItIsUnpacked) {
  const std::string archive = zip_of({{"modelDescription.xml", described(std::string(80 << 20, ' '))}});
  EXPECT_LT(archive.size(), 100'000u);
  try {
    fmu_interface(archive);
    FAIL();
  } catch (const RequestError& error) {
    EXPECT_STREQ(error.what(), "modelDescription.xml unpacks to 80 MB, more than 64 MB");
  }
}

}  // namespace
}  // namespace armature::internal
