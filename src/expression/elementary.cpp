#include "expression/elementary.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <tuple>

#include "step/lanes.hpp"

// Eight numbers at a time, in vectors of the compiler's. All vector widths give the same bits.

namespace armature::elementary {

namespace {

constexpr long width = 8;
using Numbers = double __attribute__((vector_size(width * sizeof(double))));
using Bits = std::uint64_t __attribute__((vector_size(width * sizeof(double))));

constexpr double largest_angle = 5e5;  // n below stays under 2^19: its products with P1 and P2 are exact
constexpr double smallest_power = -708, largest_power = 709;
constexpr double smallest_side = 1e-150, largest_side = 1e150;
constexpr double rounder = 0x1.8p52;  // x + rounder has x rounded to an integer in its last bits

// pi/2 = P1 + P2 + P3, P1 and P2 with 33 bits each.
struct Reduced {
  Numbers r;      // x - n pi/2, in [-pi/4, pi/4]
  Bits quadrant;  // n modulo 4, in its two last bits
};
ARMATURE_INLINE void reduce(const Numbers& x, Reduced& result) {
  const Numbers shifted = x * 0x1.45f306dc9c883p-1 + rounder;
  const Numbers n = shifted - rounder;
  result.r = ((x - n * 0x1.921fb544p+0) - n * 0x1.0b4611a6p-34) - n * 0x1.3198a2e037073p-69;
  result.quadrant = (Bits)shifted;
}

// Best polynomials on [-pi/4, pi/4] in the sense of the largest relative (sin) and absolute (cos) error.
ARMATURE_INLINE void sine_polynomial(const Numbers& r, Numbers& sine) {
  const Numbers z = r * r, z2 = z * z;
  const Numbers low = -0x1.5555555555549p-3 + z * 0x1.111111110f87ap-7;
  const Numbers middle = -0x1.a01a019c11996p-13 + z * 0x1.71de3577b6ac2p-19;
  const Numbers high = -0x1.ae5e663a9d3b1p-26 + z * 0x1.5d9300ffafae1p-33;
  sine = r + r * z * (low + z2 * (middle + z2 * high));
}
ARMATURE_INLINE void cosine_polynomial(const Numbers& r, Numbers& cosine) {
  const Numbers z = r * r, z2 = z * z, half = 0.5 * z, w = 1 - half;
  const Numbers low = 0x1.555555555554cp-5 + z * -0x1.6c16c16c1517ep-10;
  const Numbers middle = 0x1.a01a019cb1bdap-16 + z * -0x1.27e4f809f09efp-22;
  const Numbers high = 0x1.1ee9ebe931b32p-29 + z * -0x1.8fae9c7b1e002p-37;
  cosine = w + (((1 - w) - half) + z2 * (low + z2 * (middle + z2 * high)));
}

// s where the quadrant is even, c where it is odd; the sign follows bit 1 of the quadrant.
ARMATURE_INLINE void turn(const Numbers& s, const Numbers& c, const Bits& quadrant, double* result) {
  const Bits odd = -(quadrant & 1);
  const Bits bits = (((Bits)s & ~odd) | ((Bits)c & odd)) ^ ((quadrant & 2) << 62);
  std::memcpy(result, &bits, sizeof bits);
}

ARMATURE_INLINE bool all_within(const double* x, double low, double high) {
  int outside = 0;
  for (long i = 0; i < width; ++i) outside |= !(x[i] >= low) | !(x[i] <= high);
  return outside == 0;
}

// Blocks of eight take and leave arrays, so that no vector is passed to or returned from a function. They say whether all
// arguments were within the reach of the polynomials.
ARMATURE_VECTOR_WIDTHS bool sin_cos_block(const double* x, double* sine, double* cosine) {
  Numbers angle, s, c;
  Reduced a;
  std::memcpy(&angle, x, sizeof angle);
  reduce(angle, a);
  sine_polynomial(a.r, s);
  cosine_polynomial(a.r, c);
  turn(s, c, a.quadrant, sine);
  turn(s, c, a.quadrant + 1, cosine);
  return all_within(x, -largest_angle, largest_angle);
}

// exp x = 2^n exp r,  r = x - n ln 2 in [-ln2/2, ln2/2],  exp r = 1 + r + r^2 p(r)
ARMATURE_VECTOR_WIDTHS bool exp_block(const double* power, double* result) {
  Numbers x;
  std::memcpy(&x, power, sizeof x);
  const Numbers shifted = x * 0x1.71547652b82fep+0 + rounder;
  const Numbers n = shifted - rounder;
  const Numbers r = (x - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
  const Numbers middle = 0x1.111111110d642p-7 + r * (0x1.6c16c185a751dp-10 + r * 0x1.a01a01badf235p-13);
  const Numbers high =
      0x1.a0199693cf72ep-16 + r * (0x1.71dddfd3a60bap-19 + r * (0x1.28b049009386bp-22 + r * 0x1.af857a5042f7ep-26));
  const Numbers p =
      0x1.000000000000bp-1 + r * (0x1.5555555555561p-3 + r * (0x1.555555555003p-5 + r * (middle + r * r * r * high)));
  const Numbers scaled = (1 + (r + r * r * p)) * (Numbers)(((Bits)shifted + 1023) << 52);
  std::memcpy(result, &scaled, sizeof scaled);
  return all_within(power, smallest_power, largest_power);
}

// atan a = a + a^3 p(a^2) for a <= tan(pi/8), the best polynomial in the sense of the largest relative error.
ARMATURE_INLINE void arc_polynomial(const Numbers& a, Numbers& arc) {
  const Numbers z = a * a, z2 = z * z, z4 = z2 * z2;
  const Numbers p01 = -0x1.5555555555555p-2 + z * 0x1.999999999934cp-3;
  const Numbers p23 = -0x1.2492492436201p-3 + z * 0x1.c71c71853d7fap-4;
  const Numbers p45 = -0x1.745d0b28a7e37p-4 + z * 0x1.3b1263064f6b9p-4;
  const Numbers p67 = -0x1.10fa77b1a6d57p-4 + z * 0x1.dfe6497e96323p-5;
  const Numbers high = (-0x1.a0999c632b6edp-5 + z * 0x1.4162c02b1dda3p-5) + z2 * -0x1.3a31b1c0fd3b7p-6;
  arc = a + a * z * ((p01 + z2 * p23) + z4 * ((p45 + z2 * p67) + z4 * high));
}

// With s the smaller and l the larger of |x| and |y|: atan(s/l), above tan(pi/8) as pi/4 + atan((s - l)/(s + l)); then the
// octants. pi has a second part, so that nothing is lost beside the last bits.
ARMATURE_VECTOR_WIDTHS bool atan2_block(const double* sine, const double* cosine, double* angle) {
  constexpr double pi = 0x1.921fb54442d18p+1, rest_of_pi = 0x1.1a62633145c07p-53;
  constexpr std::uint64_t magnitude = ~(std::uint64_t{1} << 63);
  Numbers y, x, arc;
  std::memcpy(&y, sine, sizeof y);
  std::memcpy(&x, cosine, sizeof x);
  const Numbers up = (Numbers)((Bits)y & magnitude), side = (Numbers)((Bits)x & magnitude);
  const Numbers small = up < side ? up : side, large = up < side ? side : up;
  const Numbers turned = small > large * 0x1.a827999fcef32p-2 ? Numbers{} + 1 : Numbers{};
  arc_polynomial((small - turned * large) / (turned * small + large), arc);
  arc = turned * (pi / 4) + (arc + turned * (rest_of_pi / 4));
  arc = up > side ? pi / 2 - (arc - rest_of_pi / 2) : arc;
  arc = x < 0 ? pi - (arc - rest_of_pi) : arc;
  const Bits bits = (Bits)arc | ((Bits)y & ~magnitude);
  std::memcpy(angle, &bits, sizeof bits);
  double sizes[width];
  std::memcpy(sizes, &large, sizeof large);
  return all_within(sizes, smallest_side, largest_side);
}

// The C library is asked for arguments out of reach (and for what is not a number).
void sin_cos_eight(const double* x, double* sine, double* cosine) {
  if (sin_cos_block(x, sine, cosine)) return;
  for (long i = 0; i < width; ++i)
    if (!(std::abs(x[i]) <= largest_angle)) sine[i] = std::sin(x[i]), cosine[i] = std::cos(x[i]);
}

void exp_eight(const double* x, double* y) {
  if (exp_block(x, y)) return;
  for (long i = 0; i < width; ++i)
    if (!(x[i] >= smallest_power && x[i] <= largest_power)) y[i] = std::exp(x[i]);
}

void atan2_eight(const double* y, const double* x, double* angle) {
  if (atan2_block(y, x, angle)) return;
  for (long i = 0; i < width; ++i) {
    const double size = std::max(std::abs(x[i]), std::abs(y[i]));
    if (!(size >= smallest_side && size <= largest_side) || std::isnan(x[i]) || std::isnan(y[i]))
      angle[i] = std::atan2(y[i], x[i]);
  }
}

// Calls eight(x, y…) for all of n numbers; the last ones are padded with zeros.
template <class Eight, class... Results>
void by_eights(Eight eight, long n, const double* x, Results*... y) {
  long i = 0;
  for (; i + width <= n; i += width) eight(x + i, (y + i)...);
  if (i == n) return;
  double rest[width] = {}, results[sizeof...(y)][width];
  std::memcpy(rest, x + i, (n - i) * sizeof(double));
  int given = 0, taken = 0;
  const auto next = [&](double*) { return results[given++]; };
  std::tuple<Results*...> places{next(y)...};  // braces: from left to right
  std::apply([&](auto*... place) { eight(rest, place...); }, places);
  (std::memcpy(y + i, results[taken++], (n - i) * sizeof(double)), ...);
}

}  // namespace

void sin_cos(const double* x, double* sine, double* cosine, long n) { by_eights(sin_cos_eight, n, x, sine, cosine); }

void sin(const double* x, double* y, long n) {
  by_eights(
      [](const double* angle, double* sine) {
        double cosine[width];
        sin_cos_eight(angle, sine, cosine);
      },
      n, x, y);
}

void cos(const double* x, double* y, long n) {
  by_eights(
      [](const double* angle, double* cosine) {
        double sine[width];
        sin_cos_eight(angle, sine, cosine);
      },
      n, x, y);
}

void exp(const double* x, double* y, long n) { by_eights(exp_eight, n, x, y); }

void atan2(const double* y, const double* x, double* angle, long n) {
  long i = 0;
  for (; i + width <= n; i += width) atan2_eight(y + i, x + i, angle + i);
  if (i == n) return;
  double sine[width] = {}, cosine[width] = {1, 1, 1, 1, 1, 1, 1, 1}, result[width];
  std::memcpy(sine, y + i, (n - i) * sizeof(double));
  std::memcpy(cosine, x + i, (n - i) * sizeof(double));
  atan2_eight(sine, cosine, result);
  std::memcpy(angle + i, result, (n - i) * sizeof(double));
}

double sin(double x) {
  double y;
  sin(&x, &y, 1);
  return y;
}
double cos(double x) {
  double y;
  cos(&x, &y, 1);
  return y;
}
double exp(double x) {
  double y;
  exp(&x, &y, 1);
  return y;
}
double atan2(double y, double x) {
  double angle;
  atan2(&y, &x, &angle, 1);
  return angle;
}

}  // namespace armature::elementary
