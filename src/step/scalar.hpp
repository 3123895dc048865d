// Numbers one at a time: what the C library would give, from operations whose bits are the same everywhere.
#pragma once

#include "step/row.hpp"

namespace armature::step {

inline constexpr double infinity = __builtin_huge_val();
#ifdef ARMATURE_SINGLE  // a preview on a card (gpu/single_precision.hpp): every number is a float
inline constexpr double epsilon = 0x1p-23;
inline constexpr double smallest_normal = 0x1p-126;
inline constexpr double least_resolved = 0x1p-18;
#else
inline constexpr double epsilon = 0x1p-52;
inline constexpr double smallest_normal = 0x1p-1022;
inline constexpr double least_resolved = 0;
#endif
// A threshold of double precision, or what numbers resolve where that is more.
ARMATURE_STEP constexpr double resolved(double threshold) {
  return threshold < least_resolved ? least_resolved : threshold;
}

ARMATURE_INLINE double absolute(double x) { return __builtin_fabs(x); }
ARMATURE_INLINE double square_root(double x) { return __builtin_sqrt(x); }
ARMATURE_INLINE bool finite(double x) { return x - x == 0; }
ARMATURE_INLINE double larger(double a, double b) { return a < b ? b : a; }
ARMATURE_INLINE double smaller(double a, double b) { return b < a ? b : a; }
ARMATURE_INLINE double rounded_down(double x) { return __builtin_floor(x); }
ARMATURE_INLINE double nearest_integer(double x) {
  const double below = rounded_down(x);
  return x - below < 0.5 ? below : below + 1;
}
ARMATURE_INLINE double clamped(double x, double low, double high) { return x < low ? low : high < x ? high : x; }

#ifdef ARMATURE_SINGLE
// Bits of the same number in double precision; the functions of the card.
ARMATURE_INLINE long long bits_of(double x) { return __builtin_bit_cast(long long, static_cast<ARMATURE_WIDE>(x)); }
ARMATURE_INLINE double number_of(long long bits) {
  return static_cast<double>(__builtin_bit_cast(ARMATURE_WIDE, bits));
}
ARMATURE_INLINE double logarithm(double x) { return logf(x); }
ARMATURE_INLINE double exponential(double x) { return expf(x); }
#else
ARMATURE_INLINE long long bits_of(double x) {
  long long bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
ARMATURE_INLINE double number_of(long long bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

// ln x for normal positive x: x = m 2^n with m in [sqrt(1/2), sqrt 2), ln m = 2 artanh s, s = (m - 1)/(m + 1). To about 1e-15 of
// the result or of 1.
ARMATURE_INLINE double logarithm(double x) {
  const long long bits = bits_of(x);
  long long n = (bits >> 52) - 1023;
  double m = number_of((bits & 0xfffffffffffffLL) | 0x3ff0000000000000LL);
  if (m > 0x1.6a09e667f3bcdp+0) m *= 0.5, n += 1;
  const double s = (m - 1) / (m + 1), z = s * s;
  double sum = 0;
  for (int k = 21; k >= 3; k -= 2) sum = z * (sum + 1.0 / k);
  return static_cast<double>(n) * 0x1.62e42fefa39efp-1 + 2 * (s + s * sum);
}

// exp x = 2^n exp r,  r = x - n ln 2; x within [-700, 700].
ARMATURE_INLINE double exponential(double x) {
  const double shifted = x * 0x1.71547652b82fep+0 + 0x1.8p52, n = shifted - 0x1.8p52;
  const double r = (x - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
  constexpr double inverse_factorial[] = {
      1,          1,           1.0 / 2,      1.0 / 6,       1.0 / 24,       1.0 / 120,      1.0 / 720,
      1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600};
  double sum = 0;
  for (int k = 12; k >= 0; --k) sum = sum * r + inverse_factorial[k];
  return sum * number_of((static_cast<long long>(n) + 1023) << 52);
}
#endif

// x^y for x > 0, where the result is within 1e-300 and 1e300.
ARMATURE_INLINE double power(double x, double y) {
  return exponential(clamped(y * logarithm(larger(x, smallest_normal)), -690.0, 690.0));
}

}  // namespace armature::step
