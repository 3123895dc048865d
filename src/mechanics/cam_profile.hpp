// The outline of a disc cam, s(a) = r(a) (cos a, sin a), given by its radius over the polar angle, and the point of it that a follower
// touches:
//
//   roller or point at c     (c - s).s' = 0: where c is at the polar angle p, it is s(p + d(p))
//   flat face with normal n       n.s' = 0: where n points to the angle p, it is s(p + d(p))
//
// d is a periodic spline, made when the profile is read from the places of the follower around the cam, where it touches. The point is
// the nearest one there, and so is the gap; away from the cam the gap of a roller is right to second order.
#pragma once

#include "mechanics/builder.hpp"
#include "model/contact_surface.hpp"

namespace armature::internal {

// A point of the outline, in the axes of the cam.
struct CamPoint {
  Expression x, y;
  Expression nx, ny;  // outward normal, unit
};

// What does not move, at the values of parameters.
double at_parameters(Expression x, const Equations& equations);

class CamProfile {
 public:
  // Throws FormulaError where the profile is not a closed curve around the axis, or changes with a parameter that is left free.
  CamProfile(EquationsBuilder& builder, const ContactSurface& cam);

  // Touched by a roller with this center. Throws FormulaError where the roller cannot follow the profile.
  CamPoint under_roller(Expression cx, Expression cy, Expression roller) const;
  // Touched by a flat face whose normal n points from it to the cam. Throws FormulaError where the cam is not convex.
  CamPoint on_face(Expression nx, Expression ny) const;

 private:
  CamPoint at(Expression angle) const;
  // The outline's point for an angle of the follower, given by both angles at places around the cam.
  CamPoint by_places(std::vector<double> of_follower, std::vector<double> of_cam, Expression angle) const;
  void require_closed() const;
  [[noreturn]] void refuse(const std::string& message) const;

  EquationsBuilder& builder_;
  const ContactSurface& cam_;
  Expression angle_;         // a leaf
  Expression r_, dr_, ddr_;  // of it
};

}  // namespace armature::internal
