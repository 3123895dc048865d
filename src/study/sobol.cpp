#include "study/sobol.hpp"

#include <bit>
#include <random>

namespace armature::internal {

namespace {

constexpr std::size_t bits = 32;

// The n-th primitive polynomial, n = 1, 2, …: x + 1, x^2 + x + 1, x^3 + x + 1, …
std::uint32_t primitive_polynomial(int n) {
  std::uint32_t polynomial = 1;
  while (n > 0) {
    polynomial += 2;
    n -= is_primitive(polynomial);
  }
  return polynomial;
}

}  // namespace

bool is_primitive(std::uint32_t polynomial) {
  const std::uint32_t top = std::bit_floor(polynomial);
  if (top < 2 || !(polynomial & 1)) return false;
  const auto times_x = [&](std::uint32_t a) { return a << 1 & top ? a << 1 ^ polynomial : a << 1; };
  std::uint32_t order = 1, power = times_x(1);
  for (; power != 1; power = times_x(power)) ++order;
  return order == top - 1;
}

SobolAxis::SobolAxis(int axis) {
  std::array<std::uint32_t, bits> m;
  m.fill(1);
  if (axis > 0) {
    const std::uint32_t polynomial = primitive_polynomial(axis);
    const auto s = static_cast<std::size_t>(std::bit_width(polynomial)) - 1;
    std::mt19937 generator(static_cast<std::uint32_t>(axis));
    for (std::size_t i = 0; i < s; ++i) m[i] = static_cast<std::uint32_t>(generator()) % (1u << i) * 2 + 1;
    for (std::size_t i = s; i < bits; ++i) {
      m[i] = m[i - s];
      for (std::size_t k = 1; k <= s; ++k)
        if (polynomial >> (s - k) & 1) m[i] ^= m[i - k] << k;
    }
  }
  for (std::size_t i = 0; i < bits; ++i) direction_[i] = m[i] << (bits - 1 - i);
}

std::uint32_t SobolAxis::operator()(std::uint32_t k) const {
  std::uint32_t x = 0;
  for (; k != 0; k &= k - 1) x ^= direction_[static_cast<std::size_t>(std::countr_zero(k))];
  return x;
}

}  // namespace armature::internal
