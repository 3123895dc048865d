// The folder of `armature view`: model files that lie in it can be read and written, nothing else.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace armature::internal {

// What was asked for lies outside, does not exist, or cannot be written: a sentence.
struct FolderError : std::runtime_error {
  FolderError(int status, const std::string& sentence) : std::runtime_error(sentence), status(status) {}
  int status;  // of HTTP
};

class ServedFolder {
 public:
  explicit ServedFolder(const std::filesystem::path& root);  // throws FolderError

  const std::filesystem::path& root() const { return root_; }

  struct Listing {
    std::vector<std::string> names;  // of the model files, sorted; those of folders below: "sub/a.yaml"
    bool complete = true;            // false: there are too many files to look at all
  };
  Listing models() const;

  // The place of a model file by its name relative to the folder. Throws FolderError: names that lead out of the folder
  // (absolute, by '..' or by a link) or are no model files.
  std::filesystem::path place(const std::string& name) const;

  struct File {
    std::string text, stamp;  // the stamp changes when the file does
  };
  File read(const std::string& name) const;
  std::string stamp(const std::string& name) const;  // empty: there is no such file

  // Whole or not at all. `stamp`: of the file as it was read; a file that has changed since is refused, unless it is empty
  // and there is none. Returns the new stamp.
  std::string write(const std::string& name, const std::string& text, const std::string& stamp) const;

  // Whether a path, as a model names it beside itself, stays in the folder.
  bool holds(const std::filesystem::path& path) const;

 private:
  std::filesystem::path root_;
};

}  // namespace armature::internal
