// The turn from a link's axes to its parent's, R = outer inner: a constant one, and the joint's own. Most joints turn about a
// coordinate axis of their link. Then a vector costs six operations, and a symmetric matrix A -> R A R' fifteen:
//
//   u = c (A_ii - A_jj) - 2 s A_ij      A_ii' = A_jj + c u      A_jj' = A_ii - c u      A_ij' = A_ij + s u
//
// Written over an algebra, so that expressions and the numbers of several right sides (system/right_sides.hpp) turn alike.
#pragma once

#include <array>

#include "mechanics/vector.hpp"

namespace armature::internal {

struct ExpressionAlgebra {
  using Number = Expression;
  static Number times(Expression factor, Number x) { return factor * x; }
  static Number plus(Number x, Number y) { return x + y; }
  static Number minus(Number x, Number y) { return x - y; }
};

template <class Algebra>
using Triple = std::array<typename Algebra::Number, 3>;

// s x y of three numbers each, x a vector of expressions
template <class Algebra>
Triple<Algebra> crossed(Algebra& algebra, const Vec3& x, const Triple<Algebra>& y) {
  Triple<Algebra> result = y;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    result[i] = algebra.minus(algebra.times(x[j], y[k]), algebra.times(x[k], y[j]));
  }
  return result;
}

template <class Algebra>
Triple<Algebra> sum(Algebra& algebra, const Triple<Algebra>& x, const Triple<Algebra>& y) {
  return {algebra.plus(x[0], y[0]), algebra.plus(x[1], y[1]), algebra.plus(x[2], y[2])};
}

class Turn {
 public:
  Turn() = default;
  static Turn by(const Mat3& outer, const Mat3& inner);
  static Turn about(const Mat3& outer, int axis, Expression angle);  // inner: about a coordinate axis

  const Mat3& outer() const { return outer_; }
  Mat3 matrix() const { return outer_ * inner_; }

  template <class Algebra>
  Triple<Algebra> to_parent(Algebra& algebra, const Triple<Algebra>& x) const {  // R x
    if (at_once_) return product(algebra, whole_, x);
    return product(algebra, outer_, axis_ < 0 ? product(algebra, inner_, x) : planar(algebra, axis_, c_, s_, x));
  }
  template <class Algebra>
  Triple<Algebra> to_link(Algebra& algebra, const Triple<Algebra>& x) const {  // R' x
    if (at_once_) return product(algebra, transpose(whole_), x);
    const Triple<Algebra> y = product(algebra, transpose(outer_), x);
    return axis_ < 0 ? product(algebra, transpose(inner_), y) : planar(algebra, axis_, c_, -s_, y);
  }
  Vec3 to_parent(const Vec3& x) const { return to_parent(expressions(), x); }
  Vec3 to_link(const Vec3& x) const { return to_link(expressions(), x); }
  Mat3 of_symmetric(const Mat3& A) const;  // R A R'
  Mat3 of_matrix(const Mat3& A) const;

 private:
  static ExpressionAlgebra& expressions() {
    static ExpressionAlgebra algebra;
    return algebra;
  }
  template <class Algebra>
  static Triple<Algebra> product(Algebra& algebra, const Mat3& A, const Triple<Algebra>& x) {
    Triple<Algebra> y;
    for (int i = 0; i < 3; ++i) {
      y[i] = algebra.times(A(i, 0), x[0]);
      for (int j = 1; j < 3; ++j) y[i] = algebra.plus(y[i], algebra.times(A(i, j), x[j]));
    }
    return y;
  }
  template <class Algebra>
  static Triple<Algebra> planar(Algebra& algebra, int axis, Expression c, Expression s, const Triple<Algebra>& x) {
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    Triple<Algebra> y = x;
    y[i] = algebra.minus(algebra.times(c, x[i]), algebra.times(s, x[j]));
    y[j] = algebra.plus(algebra.times(s, x[i]), algebra.times(c, x[j]));
    return y;
  }
  struct Planar {  // a constant turn about a coordinate axis that is no multiple of a quarter
    int axis = -1;
    double c = 1, s = 0;
  };
  static Planar planar_part(const Mat3& R);
  void choose_way();

  Mat3 outer_ = Mat3::identity(), inner_ = Mat3::identity();
  int axis_ = -1;  // of inner_, -1: any matrix
  Expression c_ = 1.0, s_ = 0.0;
  Planar outer_planar_;
  bool at_once_ = false;  // vectors: by the product of both
  Mat3 whole_ = Mat3::identity();
};

}  // namespace armature::internal
