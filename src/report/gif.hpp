// Animated GIF files. Format: GIF89a specification (CompuServe 1990); codes after Welch (1984).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "report/drawing.hpp"

namespace armature::internal::plot {

// At most 255 colors: the commonest of some pictures, one for each cell of a grid over red, green and blue.
class Palette {
 public:
  explicit Palette(const std::vector<Image>& samples);
  const std::vector<std::uint32_t>& colors() const { return colors_; }  // 0xrrggbb
  std::uint8_t index_of(std::uint32_t color) const;                     // of the nearest one

 private:
  static constexpr int bits = 5;  // of each part of a color that choose its cell
  static std::size_t cell_of(std::uint32_t color);
  std::vector<std::uint32_t> colors_;
  std::vector<std::uint8_t> nearest_;  // by cell
};

// LZW codes of growing length, in blocks of at most 255 bytes.
std::string packed_indices(const std::vector<std::uint8_t>& indices);

class GifFilm {
 public:
  GifFilm(int width, int height, Palette palette, int delay);  // hundredths of a second
  void add(const Image& image);                                // of that size
  std::string file() const;                                    // what there is, as a whole file

 private:
  int width_, height_, delay_;
  Palette palette_;
  std::string text_;
  std::vector<std::uint8_t> before_;  // the last picture; empty: none
};

}  // namespace armature::internal::plot
