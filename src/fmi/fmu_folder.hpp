// The `resources` folder of an FMU of ours: the model file with the files that it names, each at its place relative to the others, and
// armature.txt:
//
//   token 3f2a…             the token of the FMU
//   model four_bar.yaml     path of the model file in the folder
//   set name value          settings of the export
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "fmi/host_values.hpp"

namespace armature::internal {

struct FmuResources {
  std::string token;
  std::vector<std::pair<std::string, std::string>> files;  // path and bytes
};

// The model and all files that it names, which lie below `root`; empty: below the folder of `file`. Throws ModelError and RequestError (a file that is named by an absolute
// path).
FmuResources fmu_resources(const std::string& text, const std::string& file, const Settings& settings,
                           const std::string& root = "");

// The model in a folder, for the FMU whose token this is. Throws RequestError.
FmuModel fmu_model(const std::filesystem::path& folder, const std::string& token);

}  // namespace armature::internal
