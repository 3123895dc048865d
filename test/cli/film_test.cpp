// Films are decoded, and each picture is that of its time.
#include <gmock/gmock.h>

#include <algorithm>

#include "cli/program.hpp"
#include "support/gif_reader.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

class FilmVerb : public Program {
 protected:
  FilmVerb() {
    write("pendulum.yaml", pendulum);
    armature("run pendulum.yaml --no-report --end 2 -o run");
  }
  bool has_ffmpeg() { return shell("command -v ffmpeg").code == 0; }
};

// Pixels that differ by more than a shade: films with other pictures have other palettes, of steps of 8 for each part of a color.
std::size_t changed_pixels(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    int most = 0;
    for (const int shift : {16, 8, 0})
      most = std::max(most, std::abs(static_cast<int>(a[k] >> shift & 255) - static_cast<int>(b[k] >> shift & 255)));
    count += most > 24;
  }
  return count;
}

TEST_F(FilmVerb, IsAGifWithAPictureForEveryFrame) {
  const Answer answer = armature("film run -o a.gif --size 200x160 --fps 10");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.out, "21 frames, 2.1 s\na.gif\n");
  const std::string file = read("a.gif");
  const GifPictures film = GifReader(file).read();
  EXPECT_EQ(film.width, 200);
  EXPECT_EQ(film.height, 160);
  EXPECT_EQ(film.delay, 10);
  ASSERT_EQ(film.pictures.size(), 21u);
  EXPECT_GT(changed_pixels(film.pictures[0], film.pictures[5]), 100u);
}

// The frame at 0.5 s of a film is the first one of a film that begins there.
TEST_F(FilmVerb, ShowsTheMotionAtItsTimes) {
  ASSERT_EQ(armature("film run -o a.gif --size 200x160 --fps 10 --to 1").code, 0);
  ASSERT_EQ(armature("film run -o slow.gif --size 200x160 --fps 10 --to 1 --speed 0.5").code, 0);
  const std::string normal = read("a.gif"), slow = read("slow.gif");
  const GifPictures film = GifReader(normal).read(), slower = GifReader(slow).read();
  ASSERT_EQ(film.pictures.size(), 11u);
  ASSERT_EQ(slower.pictures.size(), 21u);
  for (std::size_t k = 0; k < film.pictures.size(); ++k)
    EXPECT_EQ(changed_pixels(film.pictures[k], slower.pictures[2 * k]), 0u) << k;
}

TEST_F(FilmVerb, OfAShortMotionIsSlow) {
  ASSERT_EQ(armature("run pendulum.yaml --no-report --end 0.02 --set simulate.record=1e-3 -o short").code, 0);
  EXPECT_THAT(armature("film short -o a.gif --size 100x100").out, HasSubstr("200 times slower than the motion"));
}

TEST_F(FilmVerb, RefusesWhatCannotBeShown) {
  EXPECT_EQ(armature("film run -o a.avi").err, "a.avi: a film ends in .gif, .webm or .mp4\n");
  EXPECT_EQ(armature("film none -o a.gif").code, 2);
  EXPECT_THAT(armature("film run -o a.gif --from 3").err, HasSubstr("there is no motion from 3 s to 2 s"));
  EXPECT_THAT(armature("film run -o a.gif --size 20").err, HasSubstr("--size 20: expected WIDTHxHEIGHT in pixels"));
  EXPECT_THAT(armature("film run -o a.gif --speed 1e-6").err, HasSubstr("frames, more than 20000"));
  EXPECT_FALSE(exists("a.gif"));
}

TEST_F(FilmVerb, SaysWhatWebmNeeds) {
  const Answer answer = shell(std::string("PATH=/nowhere ") + program_path + " film run -o a.webm");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("install it with 'apt install ffmpeg', or write a .gif"));
  EXPECT_FALSE(exists("a.webm"));
}

// ffmpeg reads back as many frames of the same size.
TEST_F(FilmVerb, IsEncodedByFfmpeg) {
  if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
  for (const std::string name : {"a.webm", "a.mp4"}) {
    const Answer answer = armature("film run -o " + name + " --size 201x160 --fps 10");
    EXPECT_EQ(answer.code, 0) << answer.err;
    ASSERT_EQ(shell("ffmpeg -loglevel error -i " + name + " -f rawvideo -pix_fmt rgb24 -y " + name + ".raw").code, 0)
        << read("err");
    const std::string raw = read(name + ".raw");
    const std::size_t frame = 202u * 160u * 3u;
    ASSERT_EQ(raw.size(), 21 * frame);
    // white paper, and a machine that moves
    EXPECT_GT(static_cast<unsigned char>(raw[3]), 245);
    long differs = 0;
    for (std::size_t k = 0; k < frame; ++k)
      differs +=
          std::abs(int(static_cast<unsigned char>(raw[k])) - int(static_cast<unsigned char>(raw[5 * frame + k]))) > 60;
    EXPECT_GT(differs, 300);
  }
}

}  // namespace
}  // namespace armature::internal
