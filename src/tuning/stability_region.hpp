// Where Baumgarte's method stays stable under a one-step method of step h. The error of a constraint follows
// phi'' + alpha phi' + beta phi = 0; with x = alpha h and y = beta h^2 a step multiplies its two parts by R(z1), R(z2),
//
//   z^2 + x z + y = 0,      R(z) = 1 + z b' (E - z A)^-1 e     (the stability function of the tableau)
//
// and the region is |R(z1)| < 1, |R(z2)| < 1, for alpha, beta > 0. Its boundary is exact: with complex z the curve
// |R(z)| = 1 mapped by x = -2 Re z, y = |z|^2; with real z, where |R| < 1 on (-L, 0), the lines y = 0 and y = L x - L^2.
// The part that contains small steps is traced; a polynomial has no holes in |R| < 1.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "integrate/tableau.hpp"

namespace armature::internal {

struct StabilityRegion {
  using Point = Eigen::Vector2d;  // (x, y)
  std::vector<Point> boundary;    // closed polyline, clockwise from (0, 0)
  std::vector<Point> corners;     // in the same order
  Point highest, rightmost;
  double area = 0;

  bool contains(double x, double y) const;

  Eigen::VectorXd polynomial;  // coefficients of R; empty: semi-implicit Euler, whose step is no function of z alone
};

StabilityRegion stability_region(const Tableau& tableau);

// v first, then q with the new v: the step's matrix has the trace 2 - x - y and the determinant 1 - x, so that the region
// is the triangle 0 < x < 2, 0 < y < 4 - 2x.
StabilityRegion semi_implicit_euler_region();

// By the name of an integrator; none for multistep methods.
std::optional<StabilityRegion> stability_region(const std::string& integrator);

}  // namespace armature::internal
