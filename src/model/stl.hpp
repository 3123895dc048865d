// Triangles of an STL file, text or binary.
#pragma once

#include <filesystem>
#include <vector>

namespace armature::internal {

// Nine numbers a triangle, times `scale`. Throws std::runtime_error with a sentence.
std::vector<float> read_stl(const std::filesystem::path& file, double scale);

}  // namespace armature::internal
