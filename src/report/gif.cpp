#include "report/gif.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace armature::internal::plot {
namespace {

constexpr std::uint8_t transparent = 255;

void put_number(std::string& text, int number) {  // two bytes, the lower one first
  text += static_cast<char>(number & 255), text += static_cast<char>(number >> 8 & 255);
}

int part_of(std::uint32_t color, int shift) { return static_cast<int>(color >> shift & 255); }

// Weights of red, green and blue after how bright they look.
int difference(std::uint32_t a, std::uint32_t b) {
  const int red = part_of(a, 16) - part_of(b, 16), green = part_of(a, 8) - part_of(b, 8),
            blue = part_of(a, 0) - part_of(b, 0);
  return 2 * red * red + 4 * green * green + blue * blue;
}

}  // namespace

std::size_t Palette::cell_of(std::uint32_t color) {
  std::size_t cell = 0;
  for (const int shift : {16, 8, 0})
    cell = cell << bits | static_cast<std::size_t>(part_of(color, shift) >> (8 - bits));
  return cell;
}

Palette::Palette(const std::vector<Image>& samples) {
  constexpr std::size_t cells = std::size_t{1} << (3 * bits);
  std::unordered_map<std::uint32_t, long> counts;
  for (const Image& image : samples)
    for (const std::uint32_t color : image.pixels) ++counts[color];
  // the commonest color stands for all of its cell
  std::vector<long> total(cells, 0), most(cells, 0);
  std::vector<std::uint32_t> chosen(cells, 0);
  for (const auto& [color, count] : counts) {
    const std::size_t cell = cell_of(color);
    total[cell] += count;
    if (count > most[cell] || (count == most[cell] && color < chosen[cell])) most[cell] = count, chosen[cell] = color;
  }
  std::vector<std::size_t> order;
  for (std::size_t cell = 0; cell < cells; ++cell)
    if (total[cell] > 0) order.push_back(cell);
  std::ranges::sort(order,
                    [&](std::size_t a, std::size_t b) { return total[a] != total[b] ? total[a] > total[b] : a < b; });
  order.resize(std::min<std::size_t>(order.size(), transparent));
  for (const std::size_t cell : order) colors_.push_back(chosen[cell]);
  if (colors_.empty()) colors_.push_back(0xffffff);
  nearest_.resize(cells);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    constexpr std::uint32_t mask = (1u << bits) - 1, half = 1u << (7 - bits);
    const auto center = [&](int place) {
      return (static_cast<std::uint32_t>(cell >> (place * bits)) & mask) << (8 - bits) | half;
    };
    const std::uint32_t color = total[cell] > 0 ? chosen[cell] : center(2) << 16 | center(1) << 8 | center(0);
    const auto found =
        std::ranges::min_element(colors_, {}, [&](std::uint32_t each) { return difference(each, color); });
    nearest_[cell] = static_cast<std::uint8_t>(found - colors_.begin());
  }
}

std::uint8_t Palette::index_of(std::uint32_t color) const { return nearest_[cell_of(color)]; }

// A code stands for the longest run of indices that was seen before; code and next index are a new run. Codes get longer as runs become
// many; at 4096 the table begins anew.
std::string packed_indices(const std::vector<std::uint8_t>& indices) {
  constexpr int index_bits = 8, most_bits = 12, clear = 1 << index_bits, end = clear + 1;
  std::string bytes;
  std::uint32_t held = 0;
  int held_bits = 0, next = end + 1, length = index_bits + 1;
  const auto write = [&](int code) {
    held |= static_cast<std::uint32_t>(code) << held_bits;
    for (held_bits += length; held_bits >= 8; held_bits -= 8, held >>= 8) bytes += static_cast<char>(held & 255);
  };
  std::vector<std::int16_t> longer(std::size_t{1} << (most_bits + index_bits), -1);  // by run and next index
  std::vector<std::size_t> known;
  write(clear);
  int run = indices.empty() ? -1 : indices[0];
  for (std::size_t k = 1; k < indices.size(); ++k) {
    const std::size_t key = static_cast<std::size_t>(run) << index_bits | indices[k];
    if (longer[key] >= 0) {
      run = longer[key];
      continue;
    }
    write(run);
    longer[key] = static_cast<std::int16_t>(next), known.push_back(key);
    if (next == 1 << length && length < most_bits) ++length;
    if (++next == 1 << most_bits) {
      write(clear);
      for (const std::size_t each : known) longer[each] = -1;
      known.clear(), next = end + 1, length = index_bits + 1;
    }
    run = indices[k];
  }
  if (run >= 0) {
    write(run);
    if (next == 1 << length && length < most_bits) ++length;  // the reader has one more run by now
  }
  write(end);
  if (held_bits > 0) bytes += static_cast<char>(held & 255);
  std::string text(1, static_cast<char>(index_bits));
  for (std::size_t k = 0; k < bytes.size(); k += 255) {
    const std::string block = bytes.substr(k, 255);
    text += static_cast<char>(block.size()), text += block;
  }
  return text + '\0';
}

GifFilm::GifFilm(int width, int height, Palette palette, int delay)
    : width_(width), height_(height), delay_(delay), palette_(std::move(palette)) {
  text_ = "GIF89a";
  put_number(text_, width), put_number(text_, height);
  text_ += std::string("\xf7\x00\x00", 3);  // a table of 256 colors
  for (std::size_t k = 0; k < 256; ++k) {
    const std::uint32_t color = k < palette_.colors().size() ? palette_.colors()[k] : 0;
    for (const int shift : {16, 8, 0}) text_ += static_cast<char>(part_of(color, shift));
  }
  text_ += std::string("\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00", 19);  // without end
}

// What has not changed is transparent, and left out where it is at the edges.
void GifFilm::add(const Image& image) {
  std::vector<std::uint8_t> now;
  now.reserve(image.pixels.size());
  for (const std::uint32_t color : image.pixels) now.push_back(palette_.index_of(color));
  int left = 0, top = 0, right = width_, bottom = height_;
  const auto at = [&](int x, int y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
  };
  if (!before_.empty()) {
    left = width_, top = height_, right = 0, bottom = 0;
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x)
        if (now[at(x, y)] != before_[at(x, y)])
          left = std::min(left, x), right = std::max(right, x + 1), top = std::min(top, y),
          bottom = std::max(bottom, y + 1);
    if (right <= left) left = top = 0, right = bottom = 1;
  }
  std::vector<std::uint8_t> changed;
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x)
      changed.push_back(!before_.empty() && now[at(x, y)] == before_[at(x, y)] ? transparent : now[at(x, y)]);
  text_ += std::string("\x21\xf9\x04", 3);
  text_ +=
      static_cast<char>(before_.empty() ? 0x04 : 0x05);  // the picture stays; the second bit: something is transparent
  put_number(text_, delay_);
  text_ += static_cast<char>(transparent), text_ += '\0', text_ += '\x2c';
  put_number(text_, left), put_number(text_, top), put_number(text_, right - left), put_number(text_, bottom - top);
  text_ += '\0';
  text_ += packed_indices(changed);
  before_ = std::move(now);
}

std::string GifFilm::file() const { return text_ + '\x3b'; }

}  // namespace armature::internal::plot
