// One axis of a Sobol sequence: x_k = XOR of the direction numbers v_i over the set bits i of k, in units of 2^-32.
//
// The direction numbers v_i = m_i 2^(32-i) of axis d > 0 follow from the d-th primitive polynomial over GF(2),
// x^s + a_1 x^(s-1) + … + 1, in the order of degree and value, by
//
//   m_i = 2 a_1 m_(i-1) XOR 4 a_2 m_(i-2) XOR … XOR 2^s m_(i-s) XOR m_(i-s)
//
// Axis 0 is van der Corput's sequence, m_i = 1. The first s of the m_i are free odd numbers below 2^i: drawn from a
// generator that the axis seeds.
// Sobol, USSR Comput. Math. Math. Phys. 7 (1967) 86.
#pragma once

#include <array>
#include <cstdint>

namespace armature::internal {

class SobolAxis {
 public:
  explicit SobolAxis(int axis);
  std::uint32_t operator()(std::uint32_t k) const;

 private:
  std::array<std::uint32_t, 32> direction_;
};

// Whether the powers of x modulo the polynomial (bit k: x^k) run through all remainders but zero.
bool is_primitive(std::uint32_t polynomial);

}  // namespace armature::internal
