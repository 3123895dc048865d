// A text as a file; throws RecordError where it could not be written to its end.
#pragma once

#include <filesystem>
#include <string_view>

namespace armature {

void write_text(const std::filesystem::path& file, std::string_view text);

}  // namespace armature
