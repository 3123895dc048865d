// The polynomials of elementary.hpp, in what C and C++ have in common: elementary.cpp takes eight numbers at a time, exported C
// takes one (c_code.cpp), and both give the same bits. Whoever includes it defines before
//
//   Numbers           double, or a vector of doubles
//   Bits              as many unsigned integers of 64 bits
//   BITS, NUMBERS     one read as the other
//   FORMULA           what stands before every function
//
// Numbers go by pointer: vectors are not passed to functions.

// The angle's n below stays under 2^19 up to LARGEST_ANGLE: its products with P1 and P2 are exact.
#define LARGEST_ANGLE 5e5
#define SMALLEST_POWER (-708.0)
#define LARGEST_POWER 709.0
#define SMALLEST_SIDE 1e-150
#define LARGEST_SIDE 1e150
#define ROUNDER 0x1.8p52  // x + ROUNDER has x rounded to an integer in its last bits

// r = x - n pi/2, in [-pi/4, pi/4]; n modulo 4 stands in the two last bits of quadrant. pi/2 = P1 + P2 + P3, P1 and P2 with 33
// bits each.
FORMULA void reduce(const Numbers* x, Numbers* r, Bits* quadrant) {
  const Numbers shifted = *x * 0x1.45f306dc9c883p-1 + ROUNDER;
  const Numbers n = shifted - ROUNDER;
  *r = ((*x - n * 0x1.921fb544p+0) - n * 0x1.0b4611a6p-34) - n * 0x1.3198a2e037073p-69;
  *quadrant = BITS(shifted);
}

// Best polynomials on [-pi/4, pi/4] in the sense of the largest relative (sin) and absolute (cos) error.
FORMULA void sine_polynomial(const Numbers* r, Numbers* sine) {
  const Numbers z = *r * *r, z2 = z * z;
  const Numbers low = -0x1.5555555555549p-3 + z * 0x1.111111110f87ap-7;
  const Numbers middle = -0x1.a01a019c11996p-13 + z * 0x1.71de3577b6ac2p-19;
  const Numbers high = -0x1.ae5e663a9d3b1p-26 + z * 0x1.5d9300ffafae1p-33;
  *sine = *r + *r * z * (low + z2 * (middle + z2 * high));
}
FORMULA void cosine_polynomial(const Numbers* r, Numbers* cosine) {
  const Numbers z = *r * *r, z2 = z * z, half = 0.5 * z, w = 1 - half;
  const Numbers low = 0x1.555555555554cp-5 + z * -0x1.6c16c16c1517ep-10;
  const Numbers middle = 0x1.a01a019cb1bdap-16 + z * -0x1.27e4f809f09efp-22;
  const Numbers high = 0x1.1ee9ebe931b32p-29 + z * -0x1.8fae9c7b1e002p-37;
  *cosine = w + (((1 - w) - half) + z2 * (low + z2 * (middle + z2 * high)));
}

// s where the quadrant is even, c where it is odd; the sign follows bit 1 of the quadrant.
FORMULA void turn(const Numbers* s, const Numbers* c, Bits* quadrant, Numbers* result) {
  const Bits odd = -(*quadrant & 1);
  const Bits bits = ((BITS(*s) & ~odd) | (BITS(*c) & odd)) ^ ((*quadrant & 2) << 62);
  *result = NUMBERS(bits);
}

FORMULA void sine_and_cosine(const Numbers* x, Numbers* sine, Numbers* cosine) {
  Numbers r, s, c;
  Bits quadrant;
  reduce(x, &r, &quadrant);
  sine_polynomial(&r, &s);
  cosine_polynomial(&r, &c);
  turn(&s, &c, &quadrant, sine);
  quadrant += 1;
  turn(&s, &c, &quadrant, cosine);
}

// exp x = 2^n exp r,  r = x - n ln 2 in [-ln2/2, ln2/2],  exp r = 1 + r + r^2 p(r)
FORMULA void exponential(const Numbers* x, Numbers* result) {
  const Numbers shifted = *x * 0x1.71547652b82fep+0 + ROUNDER;
  const Numbers n = shifted - ROUNDER;
  const Numbers r = (*x - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
  const Numbers middle = 0x1.111111110d642p-7 + r * (0x1.6c16c185a751dp-10 + r * 0x1.a01a01badf235p-13);
  const Numbers high =
      0x1.a0199693cf72ep-16 + r * (0x1.71dddfd3a60bap-19 + r * (0x1.28b049009386bp-22 + r * 0x1.af857a5042f7ep-26));
  const Numbers p =
      0x1.000000000000bp-1 + r * (0x1.5555555555561p-3 + r * (0x1.555555555003p-5 + r * (middle + r * r * r * high)));
  const Bits power = (BITS(shifted) + 1023) << 52;
  *result = (1 + (r + r * r * p)) * NUMBERS(power);
}

// atan a = a + a^3 p(a^2) for a <= tan(pi/8), the best polynomial in the sense of the largest relative error.
FORMULA void arc_polynomial(const Numbers* a, Numbers* arc) {
  const Numbers z = *a * *a, z2 = z * z, z4 = z2 * z2;
  const Numbers p01 = -0x1.5555555555555p-2 + z * 0x1.999999999934cp-3;
  const Numbers p23 = -0x1.2492492436201p-3 + z * 0x1.c71c71853d7fap-4;
  const Numbers p45 = -0x1.745d0b28a7e37p-4 + z * 0x1.3b1263064f6b9p-4;
  const Numbers p67 = -0x1.10fa77b1a6d57p-4 + z * 0x1.dfe6497e96323p-5;
  const Numbers high = (-0x1.a0999c632b6edp-5 + z * 0x1.4162c02b1dda3p-5) + z2 * -0x1.3a31b1c0fd3b7p-6;
  *arc = *a + *a * z * ((p01 + z2 * p23) + z4 * ((p45 + z2 * p67) + z4 * high));
}

// With s the smaller and l the larger of |x| and |y|: atan(s/l), above tan(pi/8) as pi/4 + atan((s - l)/(s + l)); then the
// octants. pi has a second part, so that nothing is lost beside the last bits.
FORMULA void arc_of_sides(const Numbers* y, const Numbers* x, Numbers* angle, Numbers* larger_side) {
  const double pi = 0x1.921fb54442d18p+1, rest_of_pi = 0x1.1a62633145c07p-53;
  const Numbers zero = {0}, one = zero + 1;
  const Bits up_bits = BITS(*y) & 0x7fffffffffffffff, side_bits = BITS(*x) & 0x7fffffffffffffff;
  const Numbers up = NUMBERS(up_bits), side = NUMBERS(side_bits);
  const Numbers small = up < side ? up : side, large = up < side ? side : up;
  const Numbers turned = small > large * 0x1.a827999fcef32p-2 ? one : zero;
  const Numbers a = (small - turned * large) / (turned * small + large);
  Numbers arc;
  arc_polynomial(&a, &arc);
  arc = turned * (pi / 4) + (arc + turned * (rest_of_pi / 4));
  arc = up > side ? pi / 2 - (arc - rest_of_pi / 2) : arc;
  arc = *x < 0 ? pi - (arc - rest_of_pi) : arc;
  const Bits bits = BITS(arc) | (BITS(*y) ^ up_bits);
  *angle = NUMBERS(bits);
  *larger_side = large;
}
