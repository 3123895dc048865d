// What the programs of a model call in a page: Armature's own sin, cos, exp and atan2 (expression/elementary_formulas.h) and tables. An
// argument for which the processor would ask the C library is the browser's, whose last digits may differ, and is noted in out_of_reach.
#include "functions.hpp"

typedef double Numbers;
typedef unsigned long long Bits;
#define BITS(x) __builtin_bit_cast(Bits, x)
#define NUMBERS(x) __builtin_bit_cast(double, x)
#define FORMULA static inline
#include "expression/elementary_formulas.h"

bool out_of_reach = false;

extern "C" {
#define BROWSERS(name) __attribute__((import_module("math"), import_name(name)))
BROWSERS("sin") double browsers_sin(double);
BROWSERS("cos") double browsers_cos(double);
BROWSERS("exp") double browsers_exp(double);
BROWSERS("atan2") double browsers_atan2(double, double);
}

namespace {

constexpr double not_a_number = __builtin_nan(""), infinite = __builtin_huge_val();

double clamp(double x, double low, double high) { return x < low ? low : high < x ? high : x; }

// As WasmModule::place_of writes it.
struct TableData {
  const double* numbers;
  int knots() const { return static_cast<int>(numbers[0]); }
  double knot(int k) const { return numbers[2 + k]; }
  const double* piece(int k) const { return numbers + 2 + knots() + 4 * k; }
};

}  // namespace

extern "C" {

__attribute__((export_name("sin_cos"))) void armature_sin_cos(double x, double* to) {
  if (__builtin_fabs(x) <= LARGEST_ANGLE) {
    sine_and_cosine(&x, to, to + 1);
  } else {
    if (x - x == 0) out_of_reach = true;
    to[0] = browsers_sin(x), to[1] = browsers_cos(x);
  }
}

// Zero below all subnormal numbers, infinite above all numbers.
__attribute__((export_name("exp"))) double armature_exp(double x) {
  double result;
  if (x >= SMALLEST_POWER && x <= LARGEST_POWER) {
    exponential(&x, &result);
    return result;
  }
  if (x < -746) return 0;
  if (x > 710) return infinite;
  if (x == x) out_of_reach = true;
  return browsers_exp(x);
}

__attribute__((export_name("atan2"))) double armature_atan2(double y, double x) {
  double angle, side;
  arc_of_sides(&y, &x, &angle, &side);
  if (x != x || y != y) return not_a_number;
  if (side >= SMALLEST_SIDE && side <= LARGEST_SIDE) return angle;
  if (side == 0) return BITS(x) >> 63 ? (BITS(y) >> 63 ? -0x1.921fb54442d18p+1 : 0x1.921fb54442d18p+1) : y;
  out_of_reach = true;
  return browsers_atan2(y, x);
}

// As Table::evaluate.
__attribute__((export_name("table"))) double armature_table(const double* numbers, int derivative, double x) {
  const TableData table{numbers};
  const int last = table.knots() - 1;
  const double first = table.knot(0), end = table.knot(last);
  if (derivative > 3) return 0;
  if (numbers[1] == 2) {
    const double period = end - first, turns = __builtin_floor((x - first) / period);
    x = clamp(x - turns * period, first, end);
  } else if (numbers[1] == 1 && (x < first || x > end)) {
    if (derivative > 0) return 0;
    x = clamp(x, first, end);
  }
  int low = 0, high = last;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (x < table.knot(middle))
      high = middle;
    else
      low = middle;
  }
  const double* c = table.piece(low);
  const double s = x - table.knot(low);
  switch (derivative) {
    case 0: return c[0] + s * (c[1] + s * (c[2] + s * c[3]));
    case 1: return c[1] + s * (2 * c[2] + s * 3 * c[3]);
    case 2: return 2 * c[2] + s * 6 * c[3];
    default: return 6 * c[3];
  }
}

// There is no C library.
void* memcpy(void* to, const void* from, __SIZE_TYPE__ size) {
  char* t = static_cast<char*>(to);
  const char* f = static_cast<const char*>(from);
  for (__SIZE_TYPE__ i = 0; i < size; ++i) t[i] = f[i];
  return to;
}
void* memset(void* to, int value, __SIZE_TYPE__ size) {
  char* t = static_cast<char*>(to);
  for (__SIZE_TYPE__ i = 0; i < size; ++i) t[i] = static_cast<char>(value);
  return to;
}
}
