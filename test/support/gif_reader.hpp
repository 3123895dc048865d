// Reads the GIF files that Armature writes: whole pictures, each with what it keeps of the one before.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace armature::internal {

struct GifPictures {
  int width = 0, height = 0, delay = 0;              // delay: of the last picture, hundredths of a second
  std::vector<std::vector<std::uint32_t>> pictures;  // 0xrrggbb
};

class GifReader {
 public:
  explicit GifReader(const std::string& file) : file_(file) {}

  GifPictures read() {
    if (file_.substr(0, 6) != "GIF89a") throw std::runtime_error("no GIF89a");
    at_ = 6;
    GifPictures result;
    result.width = number(), result.height = number();
    if (byte() != 0xf7) throw std::runtime_error("no table of 256 colors");
    at_ += 2;
    for (std::uint32_t& color : colors_) color = byte() << 16, color |= byte() << 8, color |= byte();
    std::vector<std::uint32_t> canvas(static_cast<std::size_t>(result.width) * result.height);
    int transparent = -1;
    for (unsigned kind = byte(); kind != 0x3b; kind = byte()) {
      if (kind == 0x21 && byte() == 0xf9) {
        at_ += 1;
        const unsigned flags = byte();
        result.delay = number();
        const int index = static_cast<int>(byte());
        transparent = flags & 1 ? index : -1;
        at_ += 1;
      } else if (kind == 0x21) {
        blocks();
      } else if (kind == 0x2c) {
        const int left = number(), top = number(), width = number(), height = number();
        if (byte() != 0) throw std::runtime_error("a table of its own");
        const int bits = static_cast<int>(byte());
        const std::vector<int> indices = unpacked(blocks(), bits);
        if (indices.size() != static_cast<std::size_t>(width) * height)
          throw std::runtime_error("a picture of another size");
        for (int y = 0; y < height; ++y)
          for (int x = 0; x < width; ++x)
            if (const int index = indices[static_cast<std::size_t>(y) * width + x]; index != transparent)
              canvas[static_cast<std::size_t>(top + y) * result.width + left + x] = colors_[index];
        result.pictures.push_back(canvas);
      } else {
        throw std::runtime_error("an unknown block");
      }
    }
    if (at_ != file_.size()) throw std::runtime_error("something behind the end");
    return result;
  }

  // Codes of LZW by the table of runs, as the specification describes the reader.
  static std::vector<int> unpacked(const std::string& bytes, int bits) {
    const int clear = 1 << bits, end = clear + 1;
    std::vector<std::vector<int>> runs;
    std::vector<int> result, before;
    int length = bits + 1;
    std::size_t position = 0;  // in bits
    const auto begin = [&] {
      runs.assign(static_cast<std::size_t>(end) + 1, {});
      for (int k = 0; k < clear; ++k) runs[static_cast<std::size_t>(k)] = {k};
      length = bits + 1, before.clear();
    };
    begin();
    for (;;) {
      int code = 0;
      for (int k = 0; k < length; ++k, ++position) {
        if (position / 8 >= bytes.size()) throw std::runtime_error("no end code");
        code |= (static_cast<unsigned char>(bytes[position / 8]) >> (position % 8) & 1) << k;
      }
      if (code == clear) {
        begin();
        continue;
      }
      if (code == end) return result;
      std::vector<int> run;
      if (code < static_cast<int>(runs.size())) {
        run = runs[static_cast<std::size_t>(code)];
      } else {
        if (code > static_cast<int>(runs.size()) || before.empty()) throw std::runtime_error("an unknown code");
        run = before, run.push_back(before.front());
      }
      if (run.empty()) throw std::runtime_error("an empty code");
      result.insert(result.end(), run.begin(), run.end());
      if (!before.empty() && runs.size() < 4096) {
        before.push_back(run.front());
        runs.push_back(before);
        if (static_cast<int>(runs.size()) == 1 << length && length < 12) ++length;
      }
      before = run;
    }
  }

 private:
  unsigned byte() {
    if (at_ >= file_.size()) throw std::runtime_error("the file ends too early");
    return static_cast<unsigned char>(file_[at_++]);
  }
  int number() {
    const unsigned low = byte();
    return static_cast<int>(low | byte() << 8);
  }
  std::string blocks() {
    std::string bytes;
    for (unsigned size = byte(); size > 0; size = byte()) bytes += file_.substr(at_, size), at_ += size;
    return bytes;
  }

  const std::string& file_;
  std::size_t at_ = 0;
  std::uint32_t colors_[256] = {};
};

}  // namespace armature::internal
