// The planar 3RRR robot by hand: the floor against which generated code is measured. Angles are absolute, a of the cranks,
// b of the rods, c of the platform; in them M holds constants and K cos(difference of two angles), and the velocity terms are
// K sin(difference) times squares of speeds:
//
//   M11 a1'' + K12 cos(a1 - b1) b1'' + K13 cos(a1 - d) c'' = Q1 - K12 sin(a1 - b1) b1'^2 - K13 sin(a1 - d) c'^2   and so on
//
// with d = c + 30 deg, where the platform's center lies. Legs 2 and 3 meet the platform in two points: four constraints.
// M is one block of 3 x 3 and two of 2 x 2, inverted in closed form; S = Phi M^-1 Phi' is 4 x 4, solved by 2 x 2 blocks.
#pragma once

namespace armature::internal::bench {

struct HandRrr {
  double rod_inertia;  // about the center, kg m^2
  double torque[3];    // on the cranks, N m
  // State and result in the joint angles theta1..3, elbow1..3, wrist1.
  void acceleration(const double* q, const double* v, double* vdot) const;
};

}  // namespace armature::internal::bench
