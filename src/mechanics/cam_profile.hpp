// The outline of a disc cam, s(a) = r(a) (cos a, sin a), given by its radius over the polar angle, and the points of it that a follower
// touches. Both are zeros of a function of the angle, found by Newton's method, whose iterations are part of the expression:
//
//   roller or point at c     (c - s).s' = 0    from the polar angle of c
//   flat face with normal n       n.s' = 0    from the direction -n
//
// How many iterations that takes is found when the profile is read, by following the follower around the cam.
#pragma once

#include "mechanics/builder.hpp"
#include "model/contact_surface.hpp"

namespace armature::internal {

// A point of the outline, in the axes of the cam.
struct CamPoint {
  Expression x, y;
  Expression nx, ny;    // from it to the follower, unit
  Expression distance;  // to the follower
};

class CamProfile {
 public:
  // Throws FormulaError where the profile is not a closed curve around the axis.
  CamProfile(EquationsBuilder& builder, const ContactSurface& cam);

  // The nearest to a roller's center. Throws FormulaError where the roller cannot follow the profile.
  CamPoint nearest(Expression cx, Expression cy, Expression roller) const;
  // The one that is farthest against n, which points from the face to the cam. Throws FormulaError where the cam is hollow there.
  CamPoint lowest(Expression nx, Expression ny) const;

 private:
  struct Outline {
    Expression x, y, dx, dy, ddx, ddy;  // s, s', s''
  };
  Outline at(Expression angle) const;
  Expression touching_roller(Expression cx, Expression cy, Expression from, int iterations) const;
  Expression touching_face(Expression nx, Expression ny, Expression from, int iterations) const;
  double number(Expression x) const;  // at the values of parameters
  void require_closed() const;
  [[noreturn]] void refuse(const std::string& message) const;

  EquationsBuilder& builder_;
  const ContactSurface& cam_;
  Expression angle_;        // a leaf
  Expression r_, dr_, ddr_;  // of it
};

}  // namespace armature::internal
