// A text as a file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace armature::internal {

// Throws RecordError where it could not be written to its end.
void write_text(const std::filesystem::path& file, std::string_view text);

bool try_write_text(const std::filesystem::path& file, std::string_view text);  // false: errno says why

std::string read_bytes(const std::filesystem::path& file);  // empty where it cannot be read

}  // namespace armature::internal
