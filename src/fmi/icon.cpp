#include "fmi/icon.hpp"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace armature::internal {

namespace {

constexpr int icon_size = 64;  // pixels

struct Spot {
  double x, y;
};

// The ground, two pivots on it, and the linkage above them, in pixels from the upper left corner.
constexpr Spot left_pivot{14, 50}, crank_end{20, 24}, rocker_end{48, 12}, right_pivot{50, 50};

double distance_to_line(Spot at, Spot a, Spot b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double s = std::clamp(((at.x - a.x) * dx + (at.y - a.y) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
  return std::hypot(at.x - a.x - s * dx, at.y - a.y - s * dy);
}

// How much of a pixel lies within a shape whose border is so far away; inside is negative.
double share_inside(double distance) { return std::clamp(0.5 - distance, 0.0, 1.0); }

struct Color {
  double red, green, blue, opacity;
};

void paint(Color& pixel, const Color& color, double share) {
  const double above = share * color.opacity, below = pixel.opacity * (1 - above), sum = above + below;
  if (sum == 0) return;
  const auto mixed = [&](double a, double b) { return (a * above + b * below) / sum; };
  pixel = {mixed(color.red, pixel.red), mixed(color.green, pixel.green), mixed(color.blue, pixel.blue), sum};
}

Color pixel_at(Spot at) {
  constexpr Color ground{0.45, 0.45, 0.45, 1}, link{0.12, 0.35, 0.62, 1}, pin{1, 1, 1, 1};
  Color pixel{0, 0, 0, 0};
  paint(pixel, ground, share_inside(distance_to_line(at, {6, 58}, {58, 58}) - 1.5));
  for (const Spot& pivot : {left_pivot, right_pivot})
    paint(pixel, ground, share_inside(distance_to_line(at, pivot, {pivot.x, 57}) - 3));
  const Spot corners[] = {left_pivot, crank_end, rocker_end, right_pivot};
  for (int k = 0; k < 3; ++k) paint(pixel, link, share_inside(distance_to_line(at, corners[k], corners[k + 1]) - 4));
  for (const Spot& corner : corners)
    paint(pixel, pin, share_inside(std::hypot(at.x - corner.x, at.y - corner.y) - 1.8));
  return pixel;
}

// Rows from the top, each after the number of its filter (0: none), four bytes per pixel.
std::string pixels() {
  std::string bytes;
  for (int row = 0; row < icon_size; ++row) {
    bytes += '\0';
    for (int column = 0; column < icon_size; ++column) {
      const Color color = pixel_at({column + 0.5, row + 0.5});
      for (const double part : {color.red, color.green, color.blue, color.opacity})
        bytes += static_cast<char>(static_cast<unsigned char>(std::lround(255 * part)));
    }
  }
  return bytes;
}

std::string big_endian(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes += static_cast<char>(static_cast<unsigned char>(number >> shift & 255));
  return bytes;
}

// Length, name, content and check sum (PNG specification, section 5.3).
std::string chunk(std::string_view name, const std::string& content) {
  const std::string checked = std::string(name) + content;
  const uLong sum = crc32(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<uInt>(checked.size()));
  return big_endian(static_cast<std::uint32_t>(content.size())) + checked + big_endian(static_cast<std::uint32_t>(sum));
}

std::string compressed(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string result(size, '\0');
  compress2(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
            static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION);
  result.resize(size);
  return result;
}

}  // namespace

std::string fmu_icon() {
  using namespace std::string_literals;
  const std::string header =
      big_endian(icon_size) + big_endian(icon_size) + "\x08\x06\0\0\0"s;  // 8 bits, red green blue opacity
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("IDAT", compressed(pixels())) + chunk("IEND", "");
}

}  // namespace armature::internal
