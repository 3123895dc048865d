#include "dynamics/projection.hpp"

#include <gtest/gtest.h>

#include "dynamics/dynamics.hpp"
#include "dynamics/equation_systems.hpp"
#include "dynamics/formulation.hpp"
#include "dynamics/hand_systems.hpp"
#include "integrate/integrator.hpp"
#include "linear/decompositions.hpp"

namespace armature::internal {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class ProjectionPath : public testing::TestWithParam<bool> {};  // traced or dense
INSTANTIATE_TEST_SUITE_P(Both, ProjectionPath, testing::Bool(),
                         [](const auto& info) { return info.param ? "traced" : "dense"; });

TEST_P(ProjectionPath, ReachesTheManifoldAlongTheKineticNormal) {
  const auto system = hand::compile(hand::rrr(), GetParam());
  SystemEvaluator evaluator(system);
  Projection projection(evaluator);
  VectorXd x = system->initial_state().x;
  std::mt19937 generator(3);
  x += hand::random_vector(12, 1e-4, generator);
  const VectorXd before = x;
  ASSERT_TRUE(projection.position(0, x.data()));
  ASSERT_TRUE(projection.velocity(0, x.data()));
  const Terms terms = hand::rrr(x.head(6), x.tail(6));
  EXPECT_LT(terms.phi.cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT(terms.phidot.cwiseAbs().maxCoeff(), 1e-18);  // velocities are 1e-4: round-off of their products
  // M (x - before) = Phi' mu: no part along the tangent space
  const MatrixXd tangent = null_space(terms.Phi);
  const VectorXd step = x.tail(6) - before.tail(6);
  EXPECT_LT((tangent.transpose() * terms.M * step).norm(), 1e-13 * (terms.M * step).norm() + 1e-18);
}

TEST_P(ProjectionPath, IsCheapAndStillWhereNothingIsToBeDone) {
  const auto system = hand::compile(hand::rrr(), GetParam());
  SystemEvaluator evaluator(system);
  Projection projection(evaluator);
  VectorXd x = system->initial_state().x;
  ASSERT_TRUE(projection.position(0, x.data()));
  const VectorXd before = x;
  const long steps = projection.statistics().steps;
  ASSERT_TRUE(projection.position(0, x.data()));
  ASSERT_TRUE(projection.velocity(0, x.data()));
  EXPECT_EQ(x, before);
  EXPECT_EQ(projection.statistics().steps, steps);
}

TEST_P(ProjectionPath, TakesOutOfAnErrorWhatLiesOffTheManifold) {
  const auto system = hand::compile(hand::rrr(), GetParam());
  SystemEvaluator evaluator(system);
  Projection projection(evaluator);
  VectorXd x = system->initial_state().x;
  ASSERT_TRUE(projection.position(0, x.data()));
  const Terms terms = hand::rrr(x.head(6), x.tail(6));
  const VectorXd tangent = null_space(terms.Phi).rowwise().sum();
  const VectorXd normal = solve_square(terms.M, VectorXd(terms.Phi.transpose() * VectorXd::Ones(3)));
  VectorXd error(12);
  error << 1e-9 * (tangent + normal), 1e-6 * (tangent - 2 * normal);
  ASSERT_TRUE(projection.velocity(0, x.data(), error.data()));
  EXPECT_LT((error.head(6) - 1e-9 * tangent).norm(), 1e-13 * 1e-9 * 100);
  EXPECT_LT((error.tail(6) - 1e-6 * tangent).norm(), 1e-13 * 1e-6 * 100);
}

TEST(Projection, FailsWhereNoPoseSatisfiesTheConstraints) {
  hand::Writer w;
  w.add("x", Coordinate::Kind::length, 0.3);
  w.size();
  w.inertia(0, 0, 1.0);
  w.row("wall", "x", square(w.e->q[0]) + 1.0);
  const auto system = hand::compile(w);
  SystemEvaluator evaluator(system);
  Projection projection(evaluator);
  VectorXd x = system->initial_state().x;
  EXPECT_FALSE(projection.position(0, x.data()));
}

// At the flat pose of the slider-crank with l1 = l2 the branches rod = crank and slider = 0 meet. A small error must not
// send the state along the other one.
TEST(Projection, DoesNotJumpAtASingularPose) {
  const auto system = hand::compile(hand::slider_crank());
  for (const double distance : {0.0, 1e-9, 1e-6, 1e-4, 1e-2}) {
    SystemEvaluator evaluator(system);
    Projection projection(evaluator);
    const double angle = hand::pi / 2 - distance, error = 1e-7;
    VectorXd x(6);
    x << angle, angle + error, 0.7 * std::cos(angle) - error, 1, 1 + error, -0.7 * std::sin(angle);
    const VectorXd before = x;
    ASSERT_TRUE(projection.position(0, x.data()));
    ASSERT_TRUE(projection.velocity(0, x.data()));
    EXPECT_LT((x - before).cwiseAbs().maxCoeff(), 10 * error) << distance;
  }
}

// The 3RRR robot, case A, RK4 at 1 ms over 3 s: largest |phi| and largest error of the trajectory, as measured by an
// independent program (two digits). Reference: the same with a step of 0.1 ms.
struct Drift {
  double phi = 0, trajectory = 0;
};

Drift drift(const Stabilization& stabilization) {
  const auto system = hand::compile(hand::rrr());
  Dynamics reference(system, {}, {}), dynamics(system, {}, stabilization);
  auto fine = make_integrator("rk4", reference, {.step = 1e-4});
  auto coarse = make_integrator("rk4", dynamics, {.step = 1e-3});
  fine->start(0, system->initial_state().x), coarse->start(0, system->initial_state().x);
  Drift drift;
  for (int k = 1; k <= 3000; ++k) {
    EXPECT_EQ(coarse->step(k * 1e-3), StepStatus::ok);
    while (fine->t() < k * 1e-3 - 1e-9) EXPECT_EQ(fine->step(k * 1e-3), StepStatus::ok);
    drift.phi = std::max(drift.phi, hand::rrr(coarse->x().head(6), coarse->x().tail(6)).phi.cwiseAbs().maxCoeff());
    drift.trajectory = std::max(drift.trajectory, (coarse->x() - fine->x()).head(6).cwiseAbs().maxCoeff());
  }
  return drift;
}

TEST(Stabilization, NoneDrifts) {
  const Drift result = drift({.projection = false});
  EXPECT_NEAR(result.phi, 7e-5, 1e-5);
  EXPECT_NEAR(result.trajectory, 7.5e-4, 0.5e-4);
}

TEST(Stabilization, BaumgarteHoldsTheConstraintsAtItsLevel) {
  const double omega = 100 * std::sqrt(2.0);
  const Drift result = drift({.alpha = 2 * omega, .beta = omega * omega, .projection = false});
  EXPECT_NEAR(result.phi, 1.3e-7, 0.1e-7);
  EXPECT_NEAR(result.trajectory, 7e-5, 0.6e-5);
}

TEST(Stabilization, ProjectionHoldsThemAtRoundOff) {
  const Drift result = drift({});
  EXPECT_LT(result.phi, 1e-14);
  EXPECT_NEAR(result.trajectory, 2.3e-5, 0.1e-5);
}

TEST(Stabilization, PostAdjustingMovesDependentCoordinatesOnly) {
  PostAdjustOptions options;
  options.independent = {0, 1, 2};
  const Drift result = drift({.projection = false, .post_adjust = options});
  EXPECT_NEAR(result.phi, 5.5e-8, 0.3e-8);
  EXPECT_NEAR(result.trajectory, 7e-5, 0.6e-5);
}

}  // namespace
}  // namespace armature::internal
