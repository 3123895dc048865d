// The files that make up a robot: its XML file, what that includes, and meshes. All of them lie in one folder; nothing outside
// of it is opened, whatever a file names.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace armature::internal {

class RobotFiles {
 public:
  // `may_read`: what else is asked before a file is opened; empty: nothing.
  RobotFiles(std::filesystem::path folder, std::function<bool(const std::filesystem::path&)> may_read = {});

  // Where a name of the file leads: relative to the folder; package://NAME/… and model://NAME/… lead to …, or to NAME/….
  // Nothing where it may not be read or is not there: then `why` is a sentence.
  std::optional<std::filesystem::path> find(const std::string& name, std::string& why) const;
  std::optional<std::string> read(const std::string& name, std::string& why) const;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  std::function<bool(const std::filesystem::path&)> may_read_;
};

}  // namespace armature::internal
