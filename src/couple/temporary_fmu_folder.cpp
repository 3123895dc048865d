#include "couple/temporary_fmu_folder.hpp"

#include <fmt/format.h>
#include <stdlib.h>  // mkdtemp

#include "model/request_error.hpp"

namespace armature::internal {

namespace fs = std::filesystem;

TemporaryFmuFolder::TemporaryFmuFolder() {
  std::error_code error;
  const fs::path place = fs::temp_directory_path(error);
  std::string name = (place / "armature_fmu_XXXXXX").string();
  if (error || !mkdtemp(name.data()))
    throw ComputationError(fmt::format(
        "no folder for the FMU can be made in the temporary folder {}; let TMPDIR name another one", place.string()));
  path_ = name;
}

TemporaryFmuFolder::~TemporaryFmuFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace armature::internal
