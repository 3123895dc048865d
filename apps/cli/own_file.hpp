// Files that `export` writes under a name that nobody chose.
#pragma once

#include <filesystem>
#include <string>

namespace armature::internal::cli {

// Throws UsageError where a file exists that Armature did not write. One that the user names with -o is replaced whatever it is.
void refuse_to_replace(const std::filesystem::path& file, const std::string& output);

}  // namespace armature::internal::cli
