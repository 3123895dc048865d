// Derivatives of signals through a whole motion: against a closed form, and against differences of tightly solved motions.
#include "sensitivity/signal_motion.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "signal_case.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

// A pendulum that turns over and over, against a drag that grows with the square of its speed:
//   I theta'' = -m g l sin(theta) - c theta'^2,  I = m l^2 + J
const char* const dragged_pendulum = R"(armature: 1
name: pendulum with quadratic drag
plane: xy
gravity: [0, -9.81, 0]
parameters: {m: 1.3, l: 0.7, J: 0.2, c: 0.05, w0: 11}
bodies: {bob: {mass: m, center: [0, -l, 0], inertia: {zz: J}}}
joints: {theta: {type: revolute, between: [ground, bob]}}
forces: {drag: {type: effort, on: theta, is: "-c*theta'^2"}}
start: {keep: {theta: 0.3}, speed: {theta: w0}}
simulate: {end: 1 s, rtol: 1e-12}
)";

// Its angle at time t in closed form. With u = theta'^2 as a function of theta: u' = -2 k sin(theta) - 2 d u, so that
//   u = A exp(-2 d theta) + 2 k (cos(theta) - 2 d sin(theta)) / (1 + 4 d^2)
// and t is the integral of d(theta)/sqrt(u), by Gauss's rule on short pieces; theta by Newton's method.
struct DraggedPendulum {
  using Real = long double;
  Real m, l, J, c, w0, start = 0.3L, g = 9.81L;

  Real particular(Real theta) const {
    const Real I = m * l * l + J, k = m * g * l / I, d = c / I;
    return 2 * k * (std::cos(theta) - 2 * d * std::sin(theta)) / (1 + 4 * d * d);
  }
  Real square(Real theta) const {
    const Real d = c / (m * l * l + J);
    return (w0 * w0 - particular(start)) * std::exp(-2 * d * (theta - start)) + particular(theta);
  }
  Real time(Real theta) const {
    constexpr Real nodes[] = {-0.9061798459386639928L, -0.5384693101056830910L, 0, 0.5384693101056830910L,
                              0.9061798459386639928L};
    constexpr Real weights[] = {0.2369268850561890875L, 0.4786286704993664680L, 0.5688888888888888889L,
                                0.4786286704993664680L, 0.2369268850561890875L};
    const int pieces = 60;
    const Real h = (theta - start) / pieces;
    Real sum = 0;
    for (int piece = 0; piece < pieces; ++piece)
      for (int k = 0; k < 5; ++k)
        sum += weights[k] * h / 2 / std::sqrt(square(start + (piece + (1 + nodes[k]) / 2) * h));
    return sum;
  }
  Real angle(Real t) const {
    Real theta = start + w0 * t;
    for (int k = 0; k < 12; ++k) theta -= (time(theta) - t) * std::sqrt(square(theta));
    return theta;
  }
};

// dtheta(t)/d(parameter) by differences of fourth order of the closed form, in 64 bits of mantissa: 1e-12.
double closed_derivative(const std::string& name, double t) {
  const auto angle = [&](long double part) {
    DraggedPendulum p{1.3L, 0.7L, 0.2L, 0.05L, 11.0L};
    long double& value = name == "m" ? p.m : name == "l" ? p.l : name == "J" ? p.J : name == "c" ? p.c : p.w0;
    value *= 1 + part;
    return p.angle(t);
  };
  DraggedPendulum p{1.3L, 0.7L, 0.2L, 0.05L, 11.0L};
  const long double value = name == "m" ? p.m : name == "l" ? p.l : name == "J" ? p.J : name == "c" ? p.c : p.w0;
  const long double h = 1e-3L;
  return static_cast<double>((8 * (angle(h) - angle(-h)) - (angle(2 * h) - angle(-2 * h))) / (12 * h * value));
}

TEST(SignalMotion, OfAPendulumWithQuadraticDragIsTheClosedForm) {
  const std::vector<double> times{0, 0.13, 0.5, 0.77, 1};
  SignalCase c(read_model_text(dragged_pendulum), {"m", "l", "J", "c", "w0"}, {"theta", "theta'"}, times);
  ASSERT_EQ(c.missing, "");
  const Eigen::MatrixXd exact = c.derivatives_at(c.own);
  for (std::size_t k = 1; k < times.size(); ++k) {
    const double angle = static_cast<double>(DraggedPendulum{1.3L, 0.7L, 0.2L, 0.05L, 11.0L}.angle(times[k]));
    EXPECT_NEAR(c.values(static_cast<Eigen::Index>(k), 0), angle, 1e-9);
    for (const std::string name : {"m", "l", "J", "c", "w0"}) {
      const double known = closed_derivative(name, times[k]);
      EXPECT_NEAR(exact(static_cast<Eigen::Index>(2 * k), c.place(name)), known, 1e-7 * std::abs(known))
          << name << " at " << times[k];
    }
  }
  // at the start the angle is fixed, and the speed is the parameter w0
  EXPECT_EQ(exact.row(0).norm(), 0);
  EXPECT_EQ(exact(1, c.place("w0")), 1);
}

// Seven coordinates, four constraint rows, three motors; the start is assembled anew for every length.
Model gentle_rrr() {
  Model model = shipped("rrr_motors", {{"inductance", "2 mH"}});
  model.simulate.rtol = 1e-12;
  return model;
}

TEST(SignalMotion, OfAClosedLoopWithMotorsAgreesWithDifferences) {
  SignalCase c(gentle_rrr(), {"l1", "l2", "m2", "side", "inductance"},
               {"theta1", "motor2.current", "platform.C.x", "wrist1'"}, {0, 0.05, 0.1, 0.15, 0.2});
  ASSERT_EQ(c.missing, "");
  const Eigen::MatrixXd exact = c.derivatives_at(c.own);
  // The differences err by 1e-13/1e-3 of round-off and tolerance, and by 1e-12 of their order.
  EXPECT_LT(relative_difference(exact, c.differences_at(c.own, 1e-3)), 1e-7);
}

TEST(SignalMotion, TakesTheStepsOfThePlainMotion) {
  SignalCase c(gentle_rrr(), {"l1", "m2"}, {"theta1", "motor2.current"}, {0, 0.05, 0.1, 0.2});
  const Eigen::MatrixXd plain = c.values_at(c.own);
  const long steps = c.steps;
  c.derivatives_at(c.own);
  EXPECT_EQ(c.values, plain);  // bit for bit
  EXPECT_EQ(c.steps, steps);
}

// Piecewise inputs are parameters of a formula of time: each acts on its own stretch only.
TEST(SignalMotion, KnowsPiecewiseInputs) {
  const char* const text = R"model(armature: 1
name: cart with a force in two pieces
gravity: [0, 0, 0]
parameters: {F1: 2 N, F2: -1 N}
bodies: {cart: {mass: 2 kg}}
joints: {x: {type: prismatic, axis: x, between: [ground, cart]}}
forces: {push: {type: effort, on: x, is: "if(t < 1 s, F1, F2)"}}
simulate: {end: 3 s, rtol: 1e-10}
)model";
  SignalCase c(read_model_text(text), {"F1", "F2"}, {"x"}, {0.5, 1, 3});
  ASSERT_EQ(c.missing, "");
  const Eigen::MatrixXd exact = c.derivatives_at(c.own);
  // x = F1/m (t - 1/2) + F2/m (t - 1)^2/2 from t = 1 on, F1 t^2 / 2m before
  EXPECT_NEAR(exact(0, c.place("F1")), 0.0625, 1e-12);
  EXPECT_NEAR(exact(1, c.place("F1")), 0.25, 1e-12);
  EXPECT_NEAR(exact(2, c.place("F1")), 1.25, 1e-12);
  EXPECT_NEAR(exact(1, c.place("F2")), 0, 1e-12);
  EXPECT_NEAR(exact(2, c.place("F2")), 1, 1e-12);
}

// An implicit method steps over the decay of the current, S follows it in parts.
TEST(SignalMotion, HoldsForImplicitSteps) {
  Model model = shipped("slider_crank", {{"inductance", "0.05 mH"}});
  model.simulate.rtol = 1e-8;
  SignalCase explicit_steps(model, {"flywheel", "l1"}, {"crank", "motor.current"}, {0.1, 0.2});
  model.simulate.integrator = "radau5";
  SignalCase implicit_steps(model, {"flywheel", "l1"}, {"crank", "motor.current"}, {0.1, 0.2});
  EXPECT_LT(relative_difference(implicit_steps.derivatives_at(implicit_steps.own),
                                explicit_steps.derivatives_at(explicit_steps.own)),
            1e-5);
}

TEST(SignalMotion, SaysWhyThereAreNoDerivatives) {
  Model press = shipped("press");
  EXPECT_EQ(SignalCase(press, {}, {"phi"}, {1}).missing, "");
  press.simulate.integrator = "rk4";
  EXPECT_THAT(SignalCase(press, {}, {"phi"}, {1}).missing, HasSubstr("rk4 does not locate"));
}

}  // namespace
}  // namespace armature::internal
