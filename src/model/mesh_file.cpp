// OBJ: lines `v x y z` are corners, counted from 1, and lines `f a b c …` polygons of them; -1 is the latest corner. What follows a
// slash in a polygon, and all other lines, are about textures, normals and materials.
#include "model/mesh_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "expression/number_text.hpp"
#include "model/file_kind.hpp"
#include "model/stl.hpp"

namespace armature::internal {
namespace {

using Corner = std::array<float, 3>;

constexpr std::size_t most_triangles = 20'000'000;

[[noreturn]] void refuse_obj(int line, const std::string& why) {
  throw std::runtime_error(fmt::format("is not an OBJ file: line {}: {}", line, why));
}

const Corner& corner_named(const std::string& word, const std::vector<Corner>& corners, int line) {
  char* end = nullptr;
  const long index = std::strtol(word.c_str(), &end, 10), count = static_cast<long>(corners.size());
  const bool is_number = end != word.c_str() && (*end == 0 || *end == '/');
  if (!is_number || index == 0 || index > count || index < -count)
    refuse_obj(line, fmt::format("there is no corner '{}'", word.substr(0, 40)));
  return corners[static_cast<std::size_t>(index > 0 ? index - 1 : count + index)];
}

void add_polygon(std::istringstream& words, const std::vector<Corner>& corners, int line, double scale,
                 std::vector<float>& triangles) {
  std::vector<Corner> polygon;
  for (std::string word; words >> word;) polygon.push_back(corner_named(word, corners, line));
  if (polygon.size() < 3) refuse_obj(line, "a polygon needs three corners");
  for (std::size_t k = 1; k + 1 < polygon.size(); ++k)
    for (const Corner& corner : {polygon[0], polygon[k], polygon[k + 1]})
      for (const float x : corner) triangles.push_back(static_cast<float>(x * scale));
  if (triangles.size() > 9 * most_triangles) throw std::runtime_error("has too many triangles");
}

std::vector<float> read_obj(const std::filesystem::path& file, double scale) {
  if (const std::string why = why_no_file(file, "mesh"); !why.empty()) throw std::runtime_error(why);
  const std::optional<std::string> bytes = read_file(file);
  if (!bytes) throw std::runtime_error("cannot be opened");
  std::vector<Corner> corners;
  std::vector<float> triangles;
  std::istringstream in(*bytes);
  int line = 0;
  for (std::string text; std::getline(in, text);) {
    ++line;
    std::istringstream words(text);
    std::string kind;
    words >> kind;
    if (kind == "v") {
      Corner corner{};
      for (float& x : corner) {
        std::string word;
        words >> word;
        const std::optional<float> number = read_number<float>(word);
        if (!number) refuse_obj(line, "a corner has three numbers");
        if (!std::isfinite(*number)) refuse_obj(line, "a corner that is not a finite number");
        x = *number;
      }
      corners.push_back(corner);
    } else if (kind == "f") {
      add_polygon(words, corners, line, scale, triangles);
    }
  }
  if (triangles.empty()) throw std::runtime_error("is an OBJ file without polygons");
  return triangles;
}

}  // namespace

std::vector<float> read_mesh_file(const std::filesystem::path& file, double scale) {
  std::string end = file.extension().string();
  std::ranges::transform(end, end.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return end == ".obj" ? read_obj(file, scale) : read_stl(file, scale);
}

}  // namespace armature::internal
