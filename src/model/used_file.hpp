// Files that a `use` makes part of a model. What is wrong in one is said in its own lines and names:
//
//   leg.yaml:3: bodies.thigh.mas: unknown key (did you mean 'mass'?) (used in robot.yaml:7 as left)
//
// A Location names such a file by its place in the model's list, from 1. All places in messages are written here.
#pragma once

#include <string>
#include <vector>

#include "expression/syntax.hpp"

namespace armature::internal {

struct UsedFile {
  std::string file;  // as the model names it, beside itself
  int line = 0;      // of the model's own file, where it is used
  std::string name;  // of the use, with which its names begin in the model: left_thigh

  bool operator==(const UsedFile&) const = default;
};

using UsedFiles = std::vector<UsedFile>;

// The file in which a place is; null: the model's own.
const UsedFile* file_of(Location where, const UsedFiles& used);

// "robot.yaml:7", or "leg.yaml:3" in the folder of the model; without the line if there is none.
std::string place_in_words(const std::string& model_file, Location where, const UsedFiles& used = {});

// "line 7" of the model's own file, "leg.yaml:3" of another.
std::string line_in_words(Location where, const UsedFiles& used);

// A text about the model with the names of a used file as that writes them: "left_thigh" becomes "thigh".
std::string in_words_of(const UsedFile& used, const std::string& text);

// " (used in robot.yaml:7 as left)"
std::string use_in_words(const std::string& model_file, const UsedFile& used);

}  // namespace armature::internal
