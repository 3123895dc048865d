// Robots of other formats as model files: URDF, SDFormat and MJCF, with every loop.
#pragma once

#include <string>
#include <vector>

#include "import/robot_files.hpp"
#include "import/robot_readers.hpp"

namespace armature::internal {

struct ImportedModel {
  std::string text;                    // of a model file
  std::string format;                  // "URDF", "SDFormat", "MJCF"
  std::vector<std::string> loops;      // what became of each loop
  std::vector<std::string> not_taken;  // sentences
};

struct ImportOptions : RobotOptions {
  std::string root;    // folder that holds all files of the robot; empty: that of its file
  std::string meshes;  // put before the names of mesh files; see write_model.hpp
  std::function<bool(const std::filesystem::path&)> may_read;
};

// Whether a text is XML, in place of a model file.
bool is_xml(const std::string& text);

// `file`: where the text comes from; what it names lies beside it. Throws ModelError.
ImportedModel import_robot(const std::string& text, const std::string& file, const ImportOptions& options = {});

}  // namespace armature::internal
