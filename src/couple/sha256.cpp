#include "couple/sha256.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>

namespace armature::internal {

namespace {

using Words = std::array<std::uint32_t, 64>;
__extension__ using Wide = unsigned __int128;

// The first 32 bits behind the point of a root of the k-th prime, in whole numbers: r = floor(p^(1/n) 2^32) is found bit by bit.
template <int n>
std::uint32_t root_fraction(std::uint64_t prime) {
  Wide r = 0;
  const auto power_exceeds = [&](Wide x) {  // x^n > prime 2^(32 n)
    if constexpr (n == 2) return x * x > (static_cast<Wide>(prime) << 64);
    // x < 2^35 here: x^3 fits into 105 bits
    return x * x * x > (static_cast<Wide>(prime) << 96);
  };
  for (int bit = 36; bit >= 0; --bit)
    if (const auto next = r | (static_cast<Wide>(1) << bit); !power_exceeds(next)) r = next;
  return static_cast<std::uint32_t>(r);
}

std::array<std::uint64_t, 64> first_primes() {
  std::array<std::uint64_t, 64> primes{};
  std::size_t count = 0;
  for (std::uint64_t k = 2; count < primes.size(); ++k) {
    bool is_prime = true;
    for (std::size_t i = 0; i < count && primes[i] * primes[i] <= k; ++i) is_prime = is_prime && k % primes[i] != 0;
    if (is_prime) primes[count++] = k;
  }
  return primes;
}

struct Constants {
  Words k;
  std::array<std::uint32_t, 8> start;
  Constants() {
    const auto primes = first_primes();
    for (std::size_t i = 0; i < 64; ++i) k[i] = root_fraction<3>(primes[i]);
    for (std::size_t i = 0; i < 8; ++i) start[i] = root_fraction<2>(primes[i]);
  }
};

void add_block(const unsigned char* block, const Words& k, std::array<std::uint32_t, 8>& hash) {
  Words w;
  for (std::size_t i = 0; i < 16; ++i)
    w[i] = std::uint32_t{block[4 * i]} << 24 | std::uint32_t{block[4 * i + 1]} << 16 |
           std::uint32_t{block[4 * i + 2]} << 8 | block[4 * i + 3];
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t a = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    const std::uint32_t b = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + a + w[i - 7] + b;
  }
  auto [a, b, c, d, e, f, g, h] = hash;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t one =
        h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + k[i] + w[i];
    const std::uint32_t two = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
  }
  const std::array<std::uint32_t, 8> added{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) hash[i] += added[i];
}

}  // namespace

std::string sha256(std::string_view bytes) {
  static const Constants constants;
  std::string padded(bytes);
  padded += '\x80';
  while (padded.size() % 64 != 56) padded += '\0';
  for (int shift = 56; shift >= 0; shift -= 8)
    padded += static_cast<char>(std::uint64_t{bytes.size()} * 8 >> shift & 0xff);
  std::array<std::uint32_t, 8> hash = constants.start;
  for (std::size_t at = 0; at < padded.size(); at += 64)
    add_block(reinterpret_cast<const unsigned char*>(padded.data()) + at, constants.k, hash);
  std::string text;
  for (const std::uint32_t word : hash) text += fmt::format("{:08x}", word);
  return text;
}

}  // namespace armature::internal
