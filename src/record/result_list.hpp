// The hidden list of the files that Armature wrote into a folder. Everything else in the folder is the user's.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>

namespace armature::internal {

enum class Ending { finished, failed, stopped };

struct ResultList {
  static constexpr const char* name = ".armature";

  Ending ending = Ending::finished;
  std::set<std::string> files;  // relative to the folder; the list itself is one of them

  bool contains(const std::filesystem::path& file) const { return files.contains(file.string()); }
};

std::optional<ResultList> read_list(const std::filesystem::path& folder);  // nothing: Armature has not made the folder

// Lists all files that lie in the folder and below it. Throws RecordError.
void write_list(const std::filesystem::path& folder, Ending ending);

// Links or copies the files of `folder` that its list does not name to the same places of `successor`. Where one of them
// would cover a file of the successor's, its name is returned; nothing: all are there. Throws std::filesystem_error.
std::optional<std::string> keep_foreign_files(const std::filesystem::path& folder,
                                              const std::filesystem::path& successor);

}  // namespace armature::internal
