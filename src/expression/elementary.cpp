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
#define BITS(x) ((Bits)(x))
#define NUMBERS(x) ((Numbers)(x))
#define FORMULA ARMATURE_INLINE
#include "expression/elementary_formulas.h"

ARMATURE_INLINE bool all_within(const double* x, double low, double high) {
  int outside = 0;
  for (long i = 0; i < width; ++i) outside |= !(x[i] >= low) | !(x[i] <= high);
  return outside == 0;
}

// Blocks of eight take and leave arrays, so that no vector is passed to or returned from a function. They say whether all
// arguments were within the reach of the polynomials.
ARMATURE_VECTOR_WIDTHS bool sin_cos_block(const double* x, double* sine, double* cosine) {
  Numbers angle, s, c;
  std::memcpy(&angle, x, sizeof angle);
  sine_and_cosine(&angle, &s, &c);
  std::memcpy(sine, &s, sizeof s);
  std::memcpy(cosine, &c, sizeof c);
  return all_within(x, -LARGEST_ANGLE, LARGEST_ANGLE);
}

ARMATURE_VECTOR_WIDTHS bool exp_block(const double* power, double* result) {
  Numbers x, y;
  std::memcpy(&x, power, sizeof x);
  exponential(&x, &y);
  std::memcpy(result, &y, sizeof y);
  return all_within(power, SMALLEST_POWER, LARGEST_POWER);
}

ARMATURE_VECTOR_WIDTHS bool atan2_block(const double* sine, const double* cosine, double* angle) {
  Numbers y, x, arc, large;
  double sizes[width];
  std::memcpy(&y, sine, sizeof y);
  std::memcpy(&x, cosine, sizeof x);
  arc_of_sides(&y, &x, &arc, &large);
  std::memcpy(angle, &arc, sizeof arc);
  std::memcpy(sizes, &large, sizeof large);
  return all_within(sizes, SMALLEST_SIDE, LARGEST_SIDE);
}

// The C library is asked for arguments out of reach (and for what is not a number).
void sin_cos_eight(const double* x, double* sine, double* cosine) {
  if (sin_cos_block(x, sine, cosine)) return;
  for (long i = 0; i < width; ++i)
    if (!(std::abs(x[i]) <= LARGEST_ANGLE)) sine[i] = std::sin(x[i]), cosine[i] = std::cos(x[i]);
}

void exp_eight(const double* x, double* y) {
  if (exp_block(x, y)) return;
  for (long i = 0; i < width; ++i)
    if (!(x[i] >= SMALLEST_POWER && x[i] <= LARGEST_POWER)) y[i] = std::exp(x[i]);
}

void atan2_eight(const double* y, const double* x, double* angle) {
  if (atan2_block(y, x, angle)) return;
  for (long i = 0; i < width; ++i) {
    const double size = std::max(std::abs(x[i]), std::abs(y[i]));
    if (!(size >= SMALLEST_SIDE && size <= LARGEST_SIDE) || std::isnan(x[i]) || std::isnan(y[i]))
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
