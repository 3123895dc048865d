// FMUs made of foreign_fmu.c, as somebody else's tool would have packed them.
#pragma once

#include <filesystem>
#include <string>

#include "import/zip.hpp"
#include "model/file_kind.hpp"
#include "support/paths.hpp"

namespace armature::internal {

inline std::string foreign_description(int version) {
  if (version == 3)
    return "<fmiModelDescription fmiVersion='3.0' modelName='f' instantiationToken='g'><CoSimulation "
           "modelIdentifier='f'/><ModelVariables><Float64 name='y' valueReference='0' causality='output'/><Float64 "
           "name='u' valueReference='1' causality='input' start='0'/><Float64 name='k' valueReference='2' "
           "causality='parameter' start='1'/></ModelVariables></fmiModelDescription>";
  return "<fmiModelDescription fmiVersion='2.0' modelName='f' guid='g'><CoSimulation "
         "modelIdentifier='f'/><ModelVariables><ScalarVariable name='y' valueReference='0' "
         "causality='output'><Real/></ScalarVariable><ScalarVariable name='u' valueReference='1' "
         "causality='input'><Real start='0'/></ScalarVariable><ScalarVariable name='k' valueReference='2' "
         "causality='parameter'><Real start='1'/></ScalarVariable></ModelVariables></fmiModelDescription>";
}

inline ZipFiles foreign_files(int version) {
  const auto built = std::filesystem::path(fmu_directory).parent_path() / "test" / "fmus";
  const std::string name = "foreign_fmu" + std::to_string(version) + ".so";
  return {{"modelDescription.xml", foreign_description(version)},
          {std::string("binaries/") + (version == 2 ? "linux64" : "x86_64-linux") + "/f.so",
           read_file(built / name).value_or("")}};
}

}  // namespace armature::internal
