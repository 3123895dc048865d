// Triangles of a mesh: an STL file (stl.hpp), or an OBJ file, by the end of its name.
#pragma once

#include <filesystem>
#include <vector>

namespace armature::internal {

// Nine numbers a triangle, times `scale`. Throws std::runtime_error with a sentence.
std::vector<float> read_mesh_file(const std::filesystem::path& file, double scale);

}  // namespace armature::internal
