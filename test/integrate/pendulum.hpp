// The planar pendulum of length 1 and g = 1 in Cartesian coordinates: x = (px, py, vx, vy) with p.p = 1, p.v = 0.
//
//     p'' = -(0, 1) - lambda p,   lambda = v.v - py        from p.p'' + v.v = 0
//
// The exact solution stays on the circle, a numerical one drifts off it. `project` returns to the nearest point with
// the nearest velocity, and keeps of an error estimate what is tangential.
#pragma once

#include "integrate/problems.hpp"

namespace armature::internal {

inline bool pendulum_derivative(double, const double* x, double* xdot) {
  const double lambda = x[2] * x[2] + x[3] * x[3] - x[1];
  xdot[0] = x[2];
  xdot[1] = x[3];
  xdot[2] = -lambda * x[0];
  xdot[3] = -1 - lambda * x[1];
  return true;
}

inline void make_tangential(const double* p, double* vector) {
  const double radial = p[0] * vector[0] + p[1] * vector[1];
  vector[0] -= radial * p[0];
  vector[1] -= radial * p[1];
}

inline bool pendulum_projection(double, double* x, double* error) {
  const double radius = std::hypot(x[0], x[1]);
  x[0] /= radius;
  x[1] /= radius;
  make_tangential(x, x + 2);
  if (error) make_tangential(x, error), make_tangential(x, error + 2);
  return true;
}

inline Problem pendulum(bool projected) {
  Problem problem(4, pendulum_derivative);
  problem.positions = 2;
  if (projected) problem.projection = pendulum_projection;
  problem.jacobian_of = [](double, const double* x, Eigen::MatrixXd& J) {
    const double lambda = x[2] * x[2] + x[3] * x[3] - x[1];
    J << 0, 0, 1, 0,                                        //
        0, 0, 0, 1,                                         //
        -lambda, x[0], -2 * x[2] * x[0], -2 * x[3] * x[0],  //
        0, -lambda + x[1], -2 * x[2] * x[1], -2 * x[3] * x[1];
    return true;
  };
  return problem;
}

// From 60 degrees at rest.
inline Eigen::VectorXd pendulum_start() {
  const double angle = std::acos(-1.0) / 3;
  return Eigen::Vector4d(std::sin(angle), -std::cos(angle), 0, 0);
}

// The same motion by its angle, theta'' = -sin theta, with Dormand-Prince 8(5,3) at 1e-13.
inline Eigen::VectorXd pendulum_solution(double t) {
  Problem problem(2, [](double, const double* x, double* xdot) {
    xdot[0] = x[1];
    xdot[1] = -std::sin(x[0]);
    return true;
  });
  const auto integrator = make_integrator("dop853", problem, tolerances(problem, 1e-13));
  integrator->start(0, Eigen::Vector2d(std::acos(-1.0) / 3, 0));
  if (t > 0) run(*integrator, t);
  const double angle = integrator->x()(0), rate = integrator->x()(1);
  return Eigen::Vector4d(std::sin(angle), -std::cos(angle), rate * std::cos(angle), rate * std::sin(angle));
}

}  // namespace armature::internal
