// A file that was dropped on the page: a model file as it is, a robot (URDF, SDFormat, MJCF) as the model that it becomes. It is named
// like a file of the folder that does not exist yet; nothing is written.
#pragma once

#include <string>
#include <vector>

#include "live/served_folder.hpp"

namespace armature::internal {

struct DroppedFile {
  std::string name;                    // of a model file that the folder does not have
  std::string text;                    // of a model file
  std::string format;                  // "URDF", "SDFormat", "MJCF"; empty: it was a model file
  std::vector<std::string> loops;      // what became of each loop
  std::vector<std::string> not_taken;  // sentences
};

// Files that a robot names must lie in the folder, as if it lay there too. Throws FolderError with a sentence.
DroppedFile dropped_file(const std::string& name, const std::string& text, const ServedFolder& folder);

}  // namespace armature::internal
