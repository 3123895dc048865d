#include "report/base64.hpp"

#include <bit>
#include <vector>

namespace armature::internal {
namespace {

static_assert(std::endian::native == std::endian::little);

template <class T>
std::span<const unsigned char> bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const unsigned char*>(values.data()), values.size_bytes()};
}

}  // namespace

std::string base64(std::span<const unsigned char> bytes) {
  static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = bytes.size() - i;
    const unsigned group = bytes[i] << 16 | (left > 1 ? bytes[i + 1] << 8 : 0) | (left > 2 ? bytes[i + 2] : 0);
    text += letters[group >> 18];
    text += letters[group >> 12 & 63];
    text += left > 1 ? letters[group >> 6 & 63] : '=';
    text += left > 2 ? letters[group & 63] : '=';
  }
  return text;
}

std::string base64_float32(std::span<const float> values) { return base64(bytes_of(values)); }

std::string base64_float32(std::span<const double> values) {
  return base64_float32(std::vector<float>(values.begin(), values.end()));
}

std::string base64_float64(std::span<const double> values) { return base64(bytes_of(values)); }

}  // namespace armature::internal
