#include "dynamics/dynamics.hpp"

#include <gtest/gtest.h>

#include <random>

#include "dynamics/equation_systems.hpp"
#include "dynamics/formulation.hpp"
#include "dynamics/hand_systems.hpp"
#include "integrate/integrator.hpp"
#include "support/allocation_counter.hpp"

namespace armature::internal {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Runs to `end` with a fixed step and returns the last state; `watch` sees every step.
template <class Watch>
VectorXd run(Dynamics& dynamics, VectorXd x, const std::string& method, double step, double end, Watch watch) {
  auto integrator = make_integrator(method, dynamics, {.step = step});
  integrator->start(0, x);
  while (integrator->t() < end - 1e-12) {
    const StepStatus status = integrator->step(end);
    EXPECT_EQ(status, StepStatus::ok) << integrator->t();
    if (status != StepStatus::ok) break;
    watch(integrator->t(), integrator->x());
  }
  return integrator->x();
}

VectorXd run(Dynamics& dynamics, const VectorXd& x, double step, double end) {
  return run(dynamics, x, "rk4", step, end, [](double, const VectorXd&) {});
}

class EveryFormulationOfDynamics : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, EveryFormulationOfDynamics, testing::ValuesIn(formulation_names()),
                         [](const auto& info) { return info.param; });

TEST_P(EveryFormulationOfDynamics, AgreesWithTheHandWrittenTerms) {
  const auto system = hand::compile(hand::rrr());
  Dynamics dynamics(system, {.name = GetParam()}, {.alpha = 3, .beta = 4});
  Formulation reference({.name = "multipliers"}, 6, 3);
  std::mt19937 generator(11);
  VectorXd x(12), xdot(12);
  for (int sample = 0; sample < 20; ++sample) {
    x << hand::random_vector(6, 2, generator), hand::random_vector(6, 4, generator);
    const Terms terms = hand::rrr(x.head(6), x.tail(6));
    Acceleration expected(6, 3);
    reference.solve(terms, terms.gamma - 3 * terms.phidot - 4 * terms.phi, expected);
    if (!expected.ok || expected.smallest < 0.02) continue;
    ASSERT_TRUE(dynamics.derivative(0, x.data(), xdot.data()));
    EXPECT_LT((xdot.tail(6) - expected.vdot).norm(), 1e-10 * expected.vdot.norm());
    EXPECT_LT((dynamics.acceleration().lambda - expected.lambda).norm(), 1e-10 * expected.lambda.norm());
    EXPECT_EQ(xdot.head(6), x.tail(6));
  }
}

TEST_P(EveryFormulationOfDynamics, AllocatesNothingInAStep) {
  const auto system = hand::compile(hand::rrr());
  Dynamics dynamics(system, {.name = GetParam()}, {.alpha = 1, .beta = 1});
  State state = system->initial_state();
  VectorXd xdot(12), error = VectorXd::Ones(12);
  ASSERT_TRUE(dynamics.derivative(0, state.x.data(), xdot.data()));
  ASSERT_TRUE(dynamics.project(0, state.x.data(), error.data()));
  const AllocationCounter counter;
  for (int k = 0; k < 100; ++k) {
    dynamics.derivative(0, state.x.data(), xdot.data());
    state.x += 1e-5 * xdot;
    ASSERT_TRUE(dynamics.project(0, state.x.data(), error.data()));
  }
  EXPECT_EQ(counter.count(), 0);
}

// Point-mass pendulum from x = -1 at rest: (x, y) at t = 10 s published to eight digits (DAE benchmark A01).
TEST_P(EveryFormulationOfDynamics, SwingsThePendulumToItsPublishedPlace) {
  const auto system = hand::compile(hand::pendulum());
  Dynamics dynamics(system, {.name = GetParam()}, {});
  const VectorXd x = run(dynamics, system->initial_state().x, 1e-3, 10);
  EXPECT_NEAR(x[0], -0.27508746, 2e-8);  // half a digit of the source and the method's error
  EXPECT_NEAR(x[1], -0.96141921, 2e-8);
  EXPECT_NEAR(x[0] * x[0] + x[1] * x[1], 1, 6e-15);  // the projection stops at 8 eps of the row's size
}

TEST(Dynamics, JacobianMatchesDifferences) {
  const auto system = hand::compile(hand::slider_crank(), true, true);
  Dynamics dynamics(system, {}, {.alpha = 3, .beta = 5});
  VectorXd x(6), plus(6), minus(6);
  x << 0.4, 0.5, 0.6, 1.5, -0.7, 0.3;  // off the constraints, where all terms count
  MatrixXd J, differences(6, 6);
  ASSERT_TRUE(dynamics.jacobian(0, x.data(), J));
  for (int k = 0; k < 6; ++k) {
    VectorXd moved = x;
    moved[k] = x[k] + 1e-6;
    ASSERT_TRUE(dynamics.derivative(0, moved.data(), plus.data()));
    moved[k] = x[k] - 1e-6;
    ASSERT_TRUE(dynamics.derivative(0, moved.data(), minus.data()));
    differences.col(k) = (plus - minus) / 2e-6;
  }
  EXPECT_LT((J - differences).cwiseAbs().maxCoeff(),
            1e-7 * J.cwiseAbs().maxCoeff());  // differences: eps/1e-6 and 1e-12
}

// Rank 1 of 2 at 90 and 270 degrees. The right motion stays on rod = crank, and passes 90 degrees at 0.265310 s.
TEST(Dynamics, SliderCrankOfEqualLengthsStaysOnItsBranch) {
  const auto system = hand::compile(hand::slider_crank());
  for (const double step : {1e-3, 1.7e-3, 5e-3}) {
    Dynamics dynamics(system, {}, {});
    double off = 0, passed = 0, before_t = 0, before = 0;
    const VectorXd x = run(dynamics, system->initial_state().x, "rk4", step, 10, [&](double t, const VectorXd& x) {
      off = std::max(off, std::abs(x[0] - x[1]));
      if (passed == 0 && x[0] > hand::pi / 2)
        passed = before_t + (t - before_t) * (hand::pi / 2 - before) / (x[0] - before);
      before_t = t, before = x[0];
    });
    EXPECT_LT(off, 1e-6) << step;  // between stages the method leaves the branch by its own error
    EXPECT_GT(x[0], 30) << step;
    if (step == 1e-3) {
      EXPECT_NEAR(passed, 0.265310, 2e-6);  // linear interpolation in a step of 1 ms
    }
  }
}

// The regular motion of the four-bars is one pendulum: ((N+1)/3+N) phi'' = -g ((N+1)/2+N) cos phi.
VectorXd four_bars_reference(int N, double end) {
  const double ratio = 9.81 * ((N + 1) / 2.0 + N) / ((N + 1) / 3.0 + N);
  const auto rate = [&](const Eigen::Vector2d& y) { return Eigen::Vector2d(y[1], -ratio * std::cos(y[0])); };
  Eigen::Vector2d y(hand::pi / 2, -1);
  const int steps = 200000;
  const double h = end / steps;
  for (int k = 0; k < steps; ++k) {
    const Eigen::Vector2d k1 = rate(y), k2 = rate(y + h / 2 * k1), k3 = rate(y + h / 2 * k2), k4 = rate(y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return y;
}

TEST(Dynamics, FourBarsPassTheirFlatPoseAtManySteps) {
  const int N = 2;
  const VectorXd reference = four_bars_reference(N, 10);
  // B0 at t = 10 s: published to eight digits (DAE benchmark A02)
  EXPECT_NEAR(std::cos(reference[0]), 0.32845811, 1e-8);
  EXPECT_NEAR(std::sin(reference[0]), 0.94451854, 1e-8);
  const auto system = hand::compile(hand::four_bars(N));
  for (int k = 7; k <= 30; ++k) {
    Dynamics dynamics(system, {}, {});
    const VectorXd x = run(dynamics, hand::four_bars_start(*system, N).x, 0.1 / k, 10);
    // fourth order: 1e-3 at the coarsest step of 14 ms, on a motion that never leaves the branch
    EXPECT_LT((x.head(N + 1).array() - reference[0]).abs().maxCoeff(), 2e-3 * std::pow(7.0 / k, 4) + 1e-6) << k;
    EXPECT_LT(x.segment(N + 1, N).cwiseAbs().maxCoeff(), 1e-9) << k;
  }
}

// A step that ends this close to the pose (rad) finds Phi and phi uncertain by round-off. RK4 itself errs by 1e-11.
TEST(Dynamics, FourBarsPassTheirFlatPoseFromStepsThatEndUponIt) {
  const int N = 2;
  double flat = 0.7;  // s
  for (int k = 0; k < 6; ++k) {
    const VectorXd y = four_bars_reference(N, flat);
    flat -= y[0] / y[1];
  }
  const double speed = four_bars_reference(N, flat)[1];
  const auto system = hand::compile(hand::four_bars(N));
  for (const double off : {0.0, 1e-9, 1e-8, 1e-7, 1e-6, 5e-6, 1e-5, 3e-5, -1e-7, -1e-6, -1e-5}) {
    Dynamics dynamics(system, {}, {});
    const double step = (flat + off / speed) / 700, end = 1000 * step;
    const VectorXd x = run(dynamics, hand::four_bars_start(*system, N).x, step, end);
    EXPECT_LT((x.head(N + 1).array() - four_bars_reference(N, end)[0]).abs().maxCoeff(), 1e-9) << off;
  }
}

TEST(Dynamics, FourBarsPassTheirFlatPoseWithErrorControl) {
  const int N = 2;
  const double reference = four_bars_reference(N, 10)[0];
  const auto system = hand::compile(hand::four_bars(N));
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    Dynamics dynamics(system, {}, {});
    auto integrator = make_integrator("dopri5", dynamics, {.rtol = rtol, .atol = VectorXd::Constant(10, rtol)});
    integrator->start(0, hand::four_bars_start(*system, N).x);
    while (integrator->t() < 10)
      ASSERT_EQ(integrator->step(10), StepStatus::ok) << rtol << " " << integrator->message();
    // the error over ten seconds is a few hundred local ones
    EXPECT_LT((integrator->x().head(N + 1).array() - reference).abs().maxCoeff(), 500 * rtol) << rtol;
    EXPECT_LT(integrator->x().segment(N + 1, N).cwiseAbs().maxCoeff(), 500 * rtol) << rtol;
  }
}

// Coulomb friction as a comparison: f = push - (2 w - 1), w = 1 where v >= 0. At rest and pushed less than the friction,
// the weight is such that nothing moves.
TEST(Dynamics, SlidingModesKeepTheirRootAtZero) {
  hand::Writer w;
  w.add("x", Coordinate::Kind::length, 0);
  w.size();
  w.inertia(0, 0, 2.0);
  w.e->f[0] = 0.6 - sign(w.e->v[0]);
  const auto system = hand::compile(w);
  ASSERT_EQ(system->layout().nw, 1);
  Dynamics dynamics(system, {}, {});
  State state = system->initial_state();
  state.comparisons[0] = ComparisonStatus::sliding;
  dynamics.set_state(state);
  VectorXd xdot(2);
  ASSERT_TRUE(dynamics.derivative(0, state.x.data(), xdot.data()));
  EXPECT_NEAR(xdot[1], 0, 1e-14);
  EXPECT_NEAR(dynamics.weights()[0], 0.8, 1e-14);  // 0.6 = 2 w - 1
  state.comparisons[0] = ComparisonStatus::above, state.w[0] = 1;
  dynamics.set_state(state);
  ASSERT_TRUE(dynamics.derivative(0, state.x.data(), xdot.data()));
  EXPECT_NEAR(xdot[1], -0.2, 1e-14);
}

TEST(Dynamics, SaysWhenAFormulationDoesNotFit) {
  const auto system = hand::compile(hand::slider_crank(), false);
  Dynamics dynamics(system, {.name = "multipliers"}, {});
  VectorXd x(6), xdot(6);
  x << hand::pi / 2, hand::pi / 2, 0, 1, 1, -0.7;
  EXPECT_FALSE(dynamics.derivative(0, x.data(), xdot.data()));
  EXPECT_NE(dynamics.engine().refusal().find("rank 1 of 2"), std::string::npos) << dynamics.engine().refusal();
}

}  // namespace
}  // namespace armature::internal
