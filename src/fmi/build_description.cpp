#include "fmi/build_description.hpp"

#include <fmt/format.h>

#include "record/version.hpp"

namespace armature::internal {

std::string build_description_text(const std::string& identifier, const std::vector<std::string>& sources) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n"
      "  <BuildConfiguration modelIdentifier=\"{}\" description=\"sources/CMakeLists.txt builds it, too\">\n"
      "    <SourceFileSet language=\"C++20\" compiler=\"g++\" compilerOptions=\"-fPIC -O2 -ffp-contract=off "
      "-fvisibility=hidden\">\n",
      identifier);
  for (const std::string& source : sources) text += fmt::format("      <SourceFile name=\"{}\"/>\n", source);
  text += fmt::format(
      "      <PreprocessorDefinition name=\"ARMATURE_VERSION\" value=\"&quot;{}&quot;\"/>\n"
      "      <PreprocessorDefinition name=\"ARMATURE_HDF5_LIBRARY\" value=\"&quot;libhdf5_serial.so&quot;\"/>\n"
      "      <IncludeDirectory name=\".\"/>\n"
      "    </SourceFileSet>\n",
      version());
  for (const char* library : {"eigen3", "fmt", "yaml-cpp", "nlohmann-json3", "pugixml", "zlib", "hdf5",
                              "sundials_cvode", "sundials_ida", "sundials_nvecserial", "sundials_sunmatrixdense"})
    text += fmt::format("    <Library name=\"{}\" external=\"true\"/>\n", library);
  return text + "  </BuildConfiguration>\n</fmiBuildDescription>\n";
}

}  // namespace armature::internal
