// What a path leads to. Only regular files are read: to open a pipe waits for somebody who writes, and a device may never end.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace armature::internal {

std::string file_kind(const std::filesystem::file_status& status);  // "a file", "a folder", "a pipe", …

// "there is no such file", "is a pipe, not a model file"; empty: it is a regular file.
std::string why_no_file(const std::filesystem::path& path, const std::string& wanted = "file");

// Whether links and .. included, the path leads into the folder.
bool leads_into(const std::filesystem::path& path, const std::filesystem::path& folder);

// All bytes of a file; nothing: it cannot be opened (errno says why).
std::optional<std::string> read_file(const std::filesystem::path& path);

}  // namespace armature::internal
