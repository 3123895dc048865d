// Bodies turning in space against closed forms: torque-free tops (Landau and Lifshitz, Mechanics, sections 33 and 37) and
// the conical pendulum.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "support/elliptic.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using Eigen::Vector3d;

constexpr double turning_tolerance = 1e-9;  // rtol 1e-12 over ten turns

Vector3d vector_at(const Simulation& run, int row, const std::string& name) {
  return {run.at(row, name + ".x"), run.at(row, name + ".y"), run.at(row, name + ".z")};
}

// The axis of a symmetric top goes round its angular momentum L with |L| / I1, and its spin about the axis is constant.
TEST(FreeBody, SymmetricTop) {
  const Simulation run = simulated_text(R"(
gravity: [0, 0, 0]
bodies: {top: {mass: 3, inertia: {xx: 2, yy: 2, zz: 1}, points: {tip: [0, 0, 1]}}}
joints: {f: {type: free, between: [ground, top]}}
start: {speed: {top: {velocity: [0.1, 0.2, -0.3], spin: [0.5, 0, 3]}}}
simulate: {end: 10, record: 0.5, rtol: 1e-12}
)");
  const Vector3d L(2 * 0.5, 0, 3), velocity(0.1, 0.2, -0.3);
  for (int row = 0; row <= 20; ++row) {
    const double t = run.at(row, "t");
    const Vector3d axis = Eigen::AngleAxisd(L.norm() / 2 * t, L.normalized()) * Vector3d::UnitZ();
    EXPECT_LT((vector_at(run, row, "top.tip") - (axis + t * velocity)).norm(), turning_tolerance) << "t = " << t;
  }
}

// Euler's equations with three moments I1 < I2 < I3 and |L|^2 > 2 T I2:  w = (a cn, b sn, c dn)(p t).
TEST(FreeBody, AsymmetricTop) {
  const Simulation run = simulated_text(R"(
gravity: [0, 0, 0]
bodies: {top: {mass: 1, inertia: {xx: 1, yy: 1.5, zz: 2}}}
joints: {f: {type: free, between: [ground, top]}}
start: {speed: {top: {spin: [0.8, 0, 1.5]}}}
simulate: {end: 20, record: 0.5, rtol: 1e-12}
)");
  const double I1 = 1, I2 = 1.5, I3 = 2, a = 0.8, c = 1.5;
  const double p = c * std::sqrt((I3 - I2) * (I3 - I1) / (I1 * I2));
  const double b = a * std::sqrt(I1 * (I3 - I1) / (I2 * (I3 - I2)));
  const double k = std::sqrt((I2 - I1) * a * b / (I3 * c * p));
  const Equations& equations = run.prepared.system->equations();
  const int first = equations.quaternions.at(0)[1];  // angular velocity in body axes
  for (int row = 0; row <= 40; ++row) {
    const Jacobi j = jacobi(p * run.at(row, "t"), k);
    EXPECT_NEAR(run.at(row, equations.velocities[first].name), a * j.cn, turning_tolerance);
    EXPECT_NEAR(run.at(row, equations.velocities[first + 1].name), b * j.sn, turning_tolerance);
    EXPECT_NEAR(run.at(row, equations.velocities[first + 2].name), c * j.dn, turning_tolerance);
  }
}

// A point mass on a universal joint is a spherical pendulum: energy and the vertical angular momentum stay.
TEST(SphericalPendulum, KeepsItsIntegrals) {
  const Simulation run = simulated_text(R"(
gravity: [0, 0, -9.81]
bodies: {bob: {mass: 2, center: [0, 0, -1.5], inertia: none, points: {end: [0, 0, -1.5]}}}
joints: {u: {type: universal, axes: [x, y], between: [ground, bob]}}
define: {momentum: 2*(bob.end.x*bob.end.y' - bob.end.y*bob.end.x')}
start: {keep: {u.first: 0.6, u.second: 0}, speed: {u.second: 1.2}}
simulate: {end: 20, record: 0.1, rtol: 1e-12}
)");
  const auto momentum = run.column("momentum");
  ASSERT_GT(std::abs(momentum[0]), 1);
  for (double value : momentum) ASSERT_NEAR(value, momentum[0], turning_tolerance);
  EXPECT_LT(run.outcome.statistics.energy_error, turning_tolerance);
}

// Conical motion at the angle c from the vertical, a body of isotropic inertia turning with the cone: w^2 = g / (l cos c).
TEST(ConicalPendulum, OnASphericalJoint) {
  const Simulation run = simulated_text(R"(
gravity: [0, 0, -9.81]
bodies: {bob: {mass: 2, center: [0, 0, -1.5], inertia: {xx: 0.3, yy: 0.3, zz: 0.3}, points: {end: [0, 0, -1.5]}}}
joints: {ball: {type: spherical, between: [ground, bob]}}
start:
  keep: {bob: {at: [0, 0, 0], angle: -0.5, axis: y}}
  speed: {bob: {spin: [0, 0, sqrt(9.81/(1.5*cos(0.5)))]}}
simulate: {end: 10, record: 0.5, rtol: 1e-12}
)");
  const double cone = 0.5, length = 1.5, w = std::sqrt(9.81 / (length * std::cos(cone))),
               radius = length * std::sin(cone);
  for (int row = 0; row <= 20; ++row) {
    const double t = run.at(row, "t");
    const Vector3d expected(radius * std::cos(w * t), radius * std::sin(w * t), -length * std::cos(cone));
    EXPECT_LT((vector_at(run, row, "bob.end") - expected).norm(), turning_tolerance) << "t = " << t;
  }
}

}  // namespace
}  // namespace armature::internal
