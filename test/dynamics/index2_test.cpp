#include "dynamics/index2.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <random>

#include "dynamics/equation_systems.hpp"
#include "dynamics/hand_systems.hpp"
#include "integrate/integrator.hpp"

namespace armature::internal {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(Index2, JacobianMatchesDifferencesWhereMuIsZero) {
  const auto system = hand::compile(hand::slider_crank(), false, true);
  Index2 dae(system);
  const int n = dae.size();
  std::mt19937 generator(5);
  VectorXd y = hand::random_vector(n, 1, generator), ydot = hand::random_vector(n, 1, generator), plus(n), minus(n);
  y.tail(2).setZero();
  const double cj = 7;
  MatrixXd J, differences(n, n);
  ASSERT_TRUE(dae.jacobian(0, cj, y.data(), ydot.data(), J));
  for (int k = 0; k < n; ++k) {
    VectorXd moved = y, moved_dot = ydot;
    moved[k] += 1e-6, moved_dot[k] += cj * 1e-6;
    ASSERT_TRUE(dae.residual(0, moved.data(), moved_dot.data(), plus.data()));
    moved[k] -= 2e-6, moved_dot[k] -= 2 * cj * 1e-6;
    ASSERT_TRUE(dae.residual(0, moved.data(), moved_dot.data(), minus.data()));
    differences.col(k) = (plus - minus) / 2e-6;
  }
  EXPECT_LT((J - differences).cwiseAbs().maxCoeff(), 1e-8 * J.cwiseAbs().maxCoeff());
}

TEST(Index2, BeginsConsistently) {
  const auto system = hand::compile(hand::rrr(), false, true);
  Index2 dae(system);
  VectorXd y(dae.size()), ydot(dae.size()), r(dae.size());
  ASSERT_TRUE(dae.begin(0, system->initial_state().x.data(), y.data(), ydot.data()));
  ASSERT_TRUE(dae.residual(0, y.data(), ydot.data(), r.data()));
  EXPECT_LT(r.cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_NEAR(ydot[6], 24.92403278, 1e-8);  // published acceleration of theta1
}

TEST(Index2, RefusesASingularStartWithASentence) {
  const auto system = hand::compile(hand::slider_crank(), false, true);
  Index2 dae(system);
  VectorXd x(6), y(dae.size()), ydot(dae.size());
  x << hand::pi / 2, hand::pi / 2, 0, 1, 1, -0.7;
  EXPECT_FALSE(dae.begin(0, x.data(), y.data(), ydot.data()));
  EXPECT_EQ(dae.message(), "Phi has rank 1 of 2 at t = 0 s: ida cannot pass a singular configuration; use dopri5");
}

// (x, y) of the pendulum at t = 10 s, published to eight digits.
TEST(Index2, SwingsThePendulumWithIda) {
  const auto system = hand::compile(hand::pendulum(), false, true);
  Index2 dae(system);
  IntegratorOptions options{.rtol = 1e-10, .atol = VectorXd::Constant(4, 1e-11)};
  auto ida = make_dae_integrator("ida", dae, dae.state_size(), options);
  ida->start(0, system->initial_state().x);
  while (ida->t() < 10) ASSERT_EQ(ida->step(10), StepStatus::ok) << ida->message();
  EXPECT_NEAR(ida->x()[0], -0.27508746, 1e-6);  // the error of a multistep method at rtol 1e-10 over 10 s
  EXPECT_NEAR(ida->x()[1], -0.96141921, 1e-6);
}

}  // namespace
}  // namespace armature::internal
