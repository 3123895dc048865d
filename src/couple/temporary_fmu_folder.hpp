// A folder of its own in the temporary folder, which goes with its owner and all that is in it.
#pragma once

#include <filesystem>

namespace armature::internal {

class TemporaryFmuFolder {
 public:
  TemporaryFmuFolder();  // throws ComputationError
  ~TemporaryFmuFolder();
  TemporaryFmuFolder(const TemporaryFmuFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace armature::internal
