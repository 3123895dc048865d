// Binary: 80 bytes of anything, the number of triangles n (4 bytes), then n times 50 bytes: normal and three corners as
// floats, two bytes more. Text: the word `vertex` before every corner. Some binary files begin with the word `solid` of
// text files, so that the length of the file decides.
#include "model/stl.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "expression/number_text.hpp"
#include "model/file_kind.hpp"

namespace armature::internal {
namespace {

static_assert(std::endian::native == std::endian::little);
constexpr std::size_t header = 84, record = 50, normal = 12;

bool is_binary(const std::string& bytes) {
  if (bytes.size() < header) return false;
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + header - 4, 4);
  return bytes.size() == header + record * count;
}

std::vector<float> binary_corners(const std::string& bytes) {
  std::vector<float> corners;
  for (std::size_t at = header; at + record <= bytes.size(); at += record) {
    float triangle[9];
    std::memcpy(triangle, bytes.data() + at + normal, sizeof triangle);
    corners.insert(corners.end(), triangle, triangle + 9);
  }
  return corners;
}

std::vector<float> text_corners(const std::string& bytes) {
  std::vector<float> corners;
  std::istringstream in(bytes);
  for (std::string word; in >> word;) {
    if (word != "vertex") continue;
    for (int k = 0; k < 3; ++k) {
      in >> word;
      const std::optional<float> number = read_number<float>(word);
      if (!number) throw std::runtime_error("is not an STL file: a vertex without three numbers");
      corners.push_back(*number);
    }
  }
  if (corners.empty()) throw std::runtime_error("is not an STL file, or one that is cut short");
  if (corners.size() % 9 != 0)
    throw std::runtime_error(
        fmt::format("is not an STL file: its {} corners make no whole triangles", corners.size() / 3));
  return corners;
}

}  // namespace

std::vector<float> read_stl(const std::filesystem::path& file, double scale) {
  if (const std::string why = why_no_file(file, "mesh"); !why.empty()) throw std::runtime_error(why);
  const std::optional<std::string> bytes = read_file(file);
  if (!bytes) throw std::runtime_error("cannot be opened");
  std::vector<float> corners = is_binary(*bytes) ? binary_corners(*bytes) : text_corners(*bytes);
  if (corners.empty()) throw std::runtime_error("is an STL file without triangles");
  for (float& x : corners) x = static_cast<float>(x * scale);
  if (!std::ranges::all_of(corners, [](float x) { return std::isfinite(x); }))
    throw std::runtime_error("is an STL file with a corner that is not a finite number");
  return corners;
}

}  // namespace armature::internal
