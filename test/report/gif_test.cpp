// What is written comes back from a reader that follows the specification.
#include "report/gif.hpp"

#include <gmock/gmock.h>

#include <random>

#include "support/gif_reader.hpp"

namespace armature::internal::plot {
namespace {

std::vector<int> read_back(const std::vector<std::uint8_t>& indices) {
  const std::string text = packed_indices(indices);
  EXPECT_EQ(text[0], 8);
  std::string bytes;
  std::size_t at = 1;
  for (auto size = static_cast<unsigned char>(text[at]); size > 0; size = static_cast<unsigned char>(text[at]))
    bytes += text.substr(at + 1, size), at += 1 + size;
  EXPECT_EQ(at + 1, text.size());
  return GifReader::unpacked(bytes, 8);
}

// Of every length up to several thousand, so that codes of every length come last once; noise fills the table again and again.
TEST(Lzw, GivesBackWhatWasPacked) {
  std::mt19937 random(1);
  for (const int colors : {1, 2, 7, 256})
    for (std::size_t length = 1; length < 6000; length += length < 600 ? 1 : 97) {
      std::vector<std::uint8_t> indices(length);
      for (auto& index : indices) index = static_cast<std::uint8_t>(random() % static_cast<unsigned>(colors));
      ASSERT_THAT(read_back(indices), testing::ElementsAreArray(indices)) << colors << " colors, " << length;
    }
}

// Runs pack well.
TEST(Lzw, MakesASmallFileOfAnEmptyPicture) {
  EXPECT_LT(packed_indices(std::vector<std::uint8_t>(640 * 480, 3)).size(), 1500u);
}

TEST(Palette, KeepsColorsThatAreFew) {
  const Image image{2, 2, {0xffffff, 0xd55e00, 0x0072b2, 0x1d2329}};
  const Palette palette({image});
  for (const std::uint32_t color : image.pixels) EXPECT_EQ(palette.colors()[palette.index_of(color)], color);
  EXPECT_EQ(palette.colors()[palette.index_of(0xfefefe)], 0xffffffu);
}

// A square that moves over a background, then a picture that is the same as before.
TEST(GifFilm, ShowsItsPictures) {
  const int width = 40, height = 30;
  std::vector<Image> images;
  for (const int at : {3, 9, 25, 25}) {
    Image image{width, height, std::vector<std::uint32_t>(width * height, 0xffffff)};
    for (int y = 5; y < 12; ++y)
      for (int x = at; x < at + 8; ++x) image.pixels[static_cast<std::size_t>(y * width + x)] = 0x5fa3d0;
    images.push_back(image);
  }
  GifFilm film(width, height, Palette(images), 4);
  for (const Image& image : images) film.add(image);
  const std::string file = film.file();
  const GifPictures read = GifReader(file).read();
  EXPECT_EQ(read.width, width);
  EXPECT_EQ(read.height, height);
  EXPECT_EQ(read.delay, 4);
  ASSERT_EQ(read.pictures.size(), images.size());
  for (std::size_t k = 0; k < images.size(); ++k) EXPECT_EQ(read.pictures[k], images[k].pixels) << k;
}

}  // namespace
}  // namespace armature::internal::plot
