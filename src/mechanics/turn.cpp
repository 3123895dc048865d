#include "mechanics/turn.hpp"

#include <algorithm>

namespace armature::internal {

namespace {

Mat3 general(const Mat3& R, const Mat3& A) { return R * A * transpose(R); }

Mat3 general_symmetric(const Mat3& R, const Mat3& A) {
  const Mat3 RA = R * A;
  Mat3 result;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j)
      result(i, j) = result(j, i) = RA(i, 0) * R(j, 0) + RA(i, 1) * R(j, 1) + RA(i, 2) * R(j, 2);
  return result;
}

Mat3 planar_matrix(int k, Expression c, Expression s, const Mat3& A) {
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  const Expression u = c * (A(i, i) - A(j, j)) - s * (A(i, j) + A(j, i)), cu = c * u, su = s * u;
  Mat3 B = A;
  B(i, i) = A(j, j) + cu, B(j, j) = A(i, i) - cu;
  B(i, j) = A(i, j) + su, B(j, i) = A(j, i) + su;
  B(i, k) = c * A(i, k) - s * A(j, k), B(j, k) = s * A(i, k) + c * A(j, k);
  B(k, i) = c * A(k, i) - s * A(k, j), B(k, j) = s * A(k, i) + c * A(k, j);
  return B;
}

Mat3 planar_symmetric(int k, Expression c, Expression s, const Mat3& A) {
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  const Expression u = c * (A(i, i) - A(j, j)) - (2.0 * s) * A(i, j), cu = c * u;
  Mat3 B = A;
  B(i, i) = A(j, j) + cu, B(j, j) = A(i, i) - cu;
  B(i, j) = B(j, i) = A(i, j) + s * u;
  B(i, k) = B(k, i) = c * A(i, k) - s * A(j, k);
  B(j, k) = B(k, j) = s * A(i, k) + c * A(j, k);
  return B;
}

bool is_simple(Expression x) { return x.is(0) || x.is(1) || x.is(-1); }

}  // namespace

Turn Turn::by(const Mat3& outer, const Mat3& inner) {
  Turn turn;
  turn.outer_ = outer, turn.inner_ = inner;
  turn.choose_way();
  return turn;
}

Turn Turn::about(const Mat3& outer, int axis, Expression angle) {
  Turn turn;
  turn.outer_ = outer, turn.axis_ = axis, turn.c_ = cos(angle), turn.s_ = sin(angle);
  Vec3 n{};
  n[axis] = 1.0;
  turn.inner_ = rotation(n, angle);
  turn.choose_way();
  return turn;
}

// One product of full matrices is shorter than two turns of every vector.
void Turn::choose_way() {
  outer_planar_ = planar_part(outer_);
  const auto full = std::count_if(outer_.entry.begin(), outer_.entry.end(), [](Expression x) { return !is_simple(x); });
  at_once_ = full > 4;
  if (at_once_) whole_ = outer_ * inner_;
}

Turn::Planar Turn::planar_part(const Mat3& R) {
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const bool about = R(k, k).is(1) && R(i, k).is(0) && R(j, k).is(0) && R(k, i).is(0) && R(k, j).is(0);
    if (about && R(i, i).is_constant() && R(j, i).is_constant() && !is_simple(R(i, i)) && !is_simple(R(j, i)))
      return {k, R(i, i).value(), R(j, i).value()};
  }
  return {};
}

Mat3 Turn::of_symmetric(const Mat3& A) const {
  const Mat3 B = axis_ < 0 ? general_symmetric(inner_, A) : planar_symmetric(axis_, c_, s_, A);
  const Planar& p = outer_planar_;
  return p.axis < 0 ? general_symmetric(outer_, B) : planar_symmetric(p.axis, p.c, p.s, B);
}

Mat3 Turn::of_matrix(const Mat3& A) const {
  const Mat3 B = axis_ < 0 ? general(inner_, A) : planar_matrix(axis_, c_, s_, A);
  const Planar& p = outer_planar_;
  return p.axis < 0 ? general(outer_, B) : planar_matrix(p.axis, p.c, p.s, B);
}

}  // namespace armature::internal
