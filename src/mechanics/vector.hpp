// Vectors and matrices of three, of expressions: their zeros and ones fold away.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "expression/graph.hpp"

namespace armature::internal {

using Vec3 = std::array<Expression, 3>;

struct Mat3 {
  std::array<Expression, 9> entry{};  // row by row
  Expression& operator()(int i, int j) { return entry[3 * i + j]; }
  const Expression& operator()(int i, int j) const { return entry[3 * i + j]; }
  static Mat3 identity() { return {{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}}; }
};

inline Vec3 operator+(const Vec3& x, const Vec3& y) { return {x[0] + y[0], x[1] + y[1], x[2] + y[2]}; }
inline Vec3 operator-(const Vec3& x, const Vec3& y) { return {x[0] - y[0], x[1] - y[1], x[2] - y[2]}; }
inline Vec3 operator-(const Vec3& x) { return {-x[0], -x[1], -x[2]}; }
inline Vec3 operator*(Expression s, const Vec3& x) { return {s * x[0], s * x[1], s * x[2]}; }
inline Expression dot(const Vec3& x, const Vec3& y) { return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]; }
inline Vec3 cross(const Vec3& x, const Vec3& y) {
  return {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
}
inline bool is_constant(const Vec3& x) { return x[0].is_constant() && x[1].is_constant() && x[2].is_constant(); }
inline bool is_zero(const Vec3& x) { return x[0].is(0) && x[1].is(0) && x[2].is(0); }
inline Expression norm(const Vec3& x) { return sqrt(dot(x, x)); }

inline Vec3 operator*(const Mat3& A, const Vec3& x) {
  return {A(0, 0) * x[0] + A(0, 1) * x[1] + A(0, 2) * x[2], A(1, 0) * x[0] + A(1, 1) * x[1] + A(1, 2) * x[2],
          A(2, 0) * x[0] + A(2, 1) * x[1] + A(2, 2) * x[2]};
}
inline Mat3 operator*(const Mat3& A, const Mat3& B) {
  Mat3 C;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) C(i, j) = A(i, 0) * B(0, j) + A(i, 1) * B(1, j) + A(i, 2) * B(2, j);
  return C;
}
inline Mat3 operator+(const Mat3& A, const Mat3& B) {
  Mat3 C;
  for (int k = 0; k < 9; ++k) C.entry[k] = A.entry[k] + B.entry[k];
  return C;
}
inline Mat3 transpose(const Mat3& A) {
  Mat3 B;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) B(i, j) = A(j, i);
  return B;
}
inline Vec3 column(const Mat3& A, int j) { return {A(0, j), A(1, j), A(2, j)}; }

// Rodrigues: turn by an angle about a unit axis,  cos E + sin [n]x + (1 - cos) n n'.
inline Mat3 rotation(const Vec3& n, Expression angle) {
  const Expression s = sin(angle), c = cos(angle), k = 1.0 - c;
  Mat3 R;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Expression nn = n[i] * n[j];
      R(i, j) = i == j ? (nn.is(1) ? Expression(1.0) : nn.is(0) ? c : c + k * nn) : k * nn;
    }
  R(0, 1) -= s * n[2], R(1, 0) += s * n[2];
  R(0, 2) += s * n[1], R(2, 0) -= s * n[1];
  R(1, 2) -= s * n[0], R(2, 1) += s * n[0];
  return R;
}

// What round-off of a difference is measured by; 0 where nothing is constant.
template <class List>
double largest_constant(const List& list) {
  double largest = 0;
  for (const Expression& x : list)
    if (x.is_constant()) largest = std::max(largest, std::abs(x.value()));
  return largest;
}
inline double largest_constant(std::initializer_list<Expression> list) {
  return largest_constant<std::initializer_list<Expression>>(list);
}

// Round-off left by formulas such as cos(90 deg) would hide zeros from the compiler: constant parts that are smaller than
// `share` of the largest become zero.
inline Vec3 without_round_off(Vec3 x, double share = 4e-16) {
  double largest = 0;
  for (const Expression& part : x)
    if (part.is_constant()) largest = std::max(largest, std::abs(part.value()));
  for (Expression& part : x)
    if (part.is_constant() && std::abs(part.value()) < share * largest) part = 0.0;
  return x;
}

// A frame seen from another: x_outer = R x_inner + p.
struct Pose {
  Mat3 R = Mat3::identity();
  Vec3 p{};
};
inline Pose operator*(const Pose& X, const Pose& Y) { return {X.R * Y.R, X.R * Y.p + X.p}; }
inline Vec3 operator*(const Pose& X, const Vec3& x) { return X.R * x + X.p; }

}  // namespace armature::internal
