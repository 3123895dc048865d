// The pendulum against its exact solution. From rest at the angle phi0 from the lowest point,
//   sin(phi/2) = k sn(K(k) + sqrt(g/l) t, k),   k = sin(phi0/2).
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/elliptic.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

// sn(K/2) = 1/sqrt(1 + k') and dn(K) = k', k' the complementary modulus.
TEST(Jacobi, HalfAQuarterPeriod) {
  for (double k : {0.1, 0.5, 0.9, 0.99}) {
    const double complement = std::sqrt(1 - k * k);
    EXPECT_NEAR(jacobi(0.5 * quarter_period(k), k).sn, 1 / std::sqrt(1 + complement), 1e-15);
    EXPECT_NEAR(jacobi(quarter_period(k), k).dn, complement, 1e-14);
  }
}

void expect_exact(const Simulation& run, double tolerance) {
  const double k = std::sqrt(0.5), rate = std::sqrt(9.81), quarter = quarter_period(k);
  const auto t = run.column("t"), x = run.column("bob.end.x"), y = run.column("bob.end.y");
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double s = -k * jacobi(quarter + rate * t[i], k).sn;  // phi0 = -90 degrees: the mass starts at x = -1
    ASSERT_NEAR(x[i], 2 * s * std::sqrt(1 - s * s), tolerance) << "t = " << t[i];
    ASSERT_NEAR(y[i], 2 * s * s - 1, tolerance) << "t = " << t[i];
  }
}

// IFToMM benchmark A01: eight digits at t = 10 s.
TEST(Pendulum, EndsWhereTheBenchmarkSays) {
  Model model = shipped("pendulum");
  model.simulate.rtol = 1e-12;
  const Simulation run = simulated(model);
  EXPECT_NEAR(run.last("bob.end.x"), -0.27508746, 1e-8);
  EXPECT_NEAR(run.last("bob.end.y"), -0.96141921, 1e-8);
}

// About five swings; local errors of rtol add up over some 500 steps, and a phase error grows with the amplitude's.
TEST(Pendulum, FollowsTheExactSolution) {
  for (const char* integrator : {"dopri5", "dop853"}) {
    Model model = shipped("pendulum");
    model.simulate.integrator = integrator;
    model.simulate.rtol = 1e-12;
    expect_exact(simulated(model), 1e-9);
  }
}

// The same pendulum as a ball on a loop: two prismatic joints and a constant distance.
TEST(Pendulum, FollowsTheExactSolutionAsALoop) {
  expect_exact(simulated_text(R"(
gravity: [0, -9.81, 0]
bodies:
  carriage: {mass: 0}
  bob: {mass: 1, inertia: none, points: {end: [0, 0, 0]}}
joints:
  x: {type: prismatic, axis: x, between: [ground, carriage]}
  y: {type: prismatic, axis: y, between: [carriage, bob]}
constraints:
  rod: {type: distance, between: [ground, bob], length: 1}
start: {keep: {x: -1, y: 0}}
simulate: {end: 10, record: 0.1, rtol: 1e-12}
)"),
               1e-9);
}

}  // namespace
}  // namespace armature::internal
