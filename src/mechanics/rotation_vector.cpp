#include "mechanics/rotation_vector.hpp"

#include <array>

namespace armature::internal {

namespace {

// cos(x) and sin(x)/x of x = sqrt(y) as polynomials in y, and the derivative of the latter. Ten terms are exact to rounding up to
// half a turn; beyond it the quaternion they make is not quite of length 1, which nothing depends on.
constexpr int terms = 10;
using Factors = std::array<double, terms>;

Factors factors(int first) {  // (-1)^k/(2 k + first)!
  Factors factor{};
  double factorial = 1;
  for (int k = 0, n = 0; k < terms; ++k) {
    while (n < 2 * k + first) factorial *= ++n;
    factor[k] = (k % 2 == 0 ? 1 : -1) / factorial;
  }
  return factor;
}

Expression polynomial(const Factors& factor, Expression y) {
  Expression sum = factor[terms - 1];
  for (int k = terms - 2; k >= 0; --k) sum = factor[k] + y * sum;
  return sum;
}

Expression cosine(Expression y) { return polynomial(factors(0), y); }
Expression sinc(Expression y) { return polynomial(factors(1), y); }
Expression sinc_slope(Expression y) {
  const Factors sinc = factors(1);
  Factors slope{};
  for (int k = 0; k + 1 < terms; ++k) slope[k] = (k + 1) * sinc[k + 1];
  return polynomial(slope, y);
}

}  // namespace

Quaternion quaternion_of(const Vec3& psi) {
  const Expression y = 0.25 * dot(psi, psi), half = 0.5 * sinc(y);
  return {cosine(y), half * psi[0], half * psi[1], half * psi[2]};
}

// 2 (e0 e' - e0' e - e x e')/|q|^2 with  e = S psi/2,  S' = dS/dy y',  cos' = -S y'/2
Vec3 turning_of(const Vec3& psi, const Vec3& rate) {
  const Expression y = 0.25 * dot(psi, psi), y_rate = 0.5 * dot(psi, rate);
  const Expression e0 = cosine(y), S = sinc(y);
  const Vec3 e = (0.5 * S) * psi, e_rate = 0.5 * ((sinc_slope(y) * y_rate) * psi + S * rate);
  const Expression e0_rate = -0.5 * (S * y_rate);
  return (2.0 / (e0 * e0 + dot(e, e))) * (e0 * e_rate - e0_rate * e - cross(e, e_rate));
}

}  // namespace armature::internal
