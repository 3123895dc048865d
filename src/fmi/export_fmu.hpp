// A model as an FMU: an archive with its description, the model, the binary that runs it and the sources of the binary.
#pragma once

#include <filesystem>
#include <string>

#include "fmi/description.hpp"
#include "read/reader.hpp"

namespace armature::internal {

struct FmuExport {
  std::string archive;  // bytes
  int inputs = 0, parameters = 0, outputs = 0, states = 0, indicators = 0;
};

// file: where the text of the model comes from; what it names lies below `root`, or beside it. binaries: the folder with armature_fmu.so, the libraries that it needs, and its sources. Throws ModelError, RequestError (no binary
// there) and ComputationError (no start).
FmuExport export_fmu(const std::string& text, const std::string& file, const Settings& settings, FmiVersion version,
                     const std::string& identifier, const std::filesystem::path& binaries,
                     const std::string& root = "");

// Where the binary lies, seen from this program and from the module that holds this code: where it was installed, or in the build
// folder. Throws RequestError.
std::filesystem::path fmu_binaries();

}  // namespace armature::internal
