#include "system/articulated_inertia.hpp"

namespace armature::internal {

namespace {

void add_symmetric(Mat3& A, const Vec3& x, const Vec3& y, double sign) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) A(i, j) = A(j, i) = sign < 0 ? A(i, j) - x[i] * y[j] : A(i, j) + x[i] * y[j];
}

// [p]x A
Mat3 crossed(const Vec3& p, const Mat3& A) {
  Mat3 B;
  for (int j = 0; j < 3; ++j) {
    const Vec3 x = cross(p, column(A, j));
    for (int i = 0; i < 3; ++i) B(i, j) = x[i];
  }
  return B;
}

}  // namespace

int unit_of(const Freedom& freedom) {
  for (int k = 0; k < 6; ++k) {
    const Vec3 &here = k < 3 ? freedom.angular : freedom.linear, &other = k < 3 ? freedom.linear : freedom.angular;
    if (is_zero(other) && (here[k % 3].is(1) || here[k % 3].is(-1)) && here[(k + 1) % 3].is(0) &&
        here[(k + 2) % 3].is(0))
      return k;
  }
  return -1;
}

Wrench moved(const ArticulatedLink& link, const Wrench& x) {
  const Vec3 f = link.turn.to_parent(x.f);
  return {link.turn.to_parent(x.n) + cross(link.p, f), f};
}

Wrench operator*(const ArticulatedInertia& I, const Freedom& s) {
  return {I.J * s.angular + I.H * s.linear, transpose(I.H) * s.angular + I.M * s.linear};
}

void add_product(ArticulatedInertia& I, const Wrench& x, const Wrench& y, double sign) {
  add_symmetric(I.J, x.n, y.n, sign);
  add_symmetric(I.M, x.f, y.f, sign);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) I.H(i, j) = sign < 0 ? I.H(i, j) - x.n[i] * y.f[j] : I.H(i, j) + x.n[i] * y.f[j];
}

void clear_component(ArticulatedInertia& I, int k) {
  for (int i = 0; i < 3; ++i) {
    if (k < 3)
      I.J(i, k) = I.J(k, i) = 0.0, I.H(k, i) = 0.0;
    else
      I.M(i, k - 3) = I.M(k - 3, i) = 0.0, I.H(i, k - 3) = 0.0;
  }
}

// Turned, then about an origin from which the link's has the place p:  H' = H + [p] M,  J' = J - H [p] + [p] H''.
ArticulatedInertia moved(const ArticulatedLink& link, const ArticulatedInertia& own) {
  ArticulatedInertia I{link.turn.of_symmetric(own.J), link.turn.of_matrix(own.H), link.turn.of_symmetric(own.M)};
  const Vec3& p = link.p;
  const Mat3 H = I.H, H_new = H + crossed(p, I.M);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    I.J(i, i) += p[j] * (H(i, k) + H_new(i, k)) - p[k] * (H(i, j) + H_new(i, j));
    // row i, column j:  -(H [p])_ij + ([p] H_new')_ij
    I.J(i, j) += (H(i, k) * -p[i] + H(i, i) * p[k]) + (p[j] * H_new(j, k) - p[k] * H_new(j, j));
    I.J(j, i) = I.J(i, j);
  }
  I.H = H_new;
  return I;
}

ArticulatedInertia rigid_inertia(const ArticulatedLink& link) {
  ArticulatedInertia I;
  const Expression trace = link.second(0, 0) + link.second(1, 1) + link.second(2, 2);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    for (int c = 0; c < 3; ++c) I.J(i, c) = i == c ? trace - link.second(i, c) : -link.second(i, c);
    I.H(i, j) = -link.moment[k], I.H(j, i) = link.moment[k];
    I.M(i, i) = link.mass;
  }
  return I;
}

}  // namespace armature::internal
