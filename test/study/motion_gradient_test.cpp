// Exact gradients of formulas over the motion against closed forms and against differences of motions.
#include "study/motion_gradient.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "read/reader.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

// x = a cos(w t) + (b/w) sin(w t), w = sqrt(k): a and b are start values, k a parameter.
const char* const started_oscillation = R"(armature: 1
name: oscillator
gravity: [0, 0, 0]
parameters: {a: 1.2 m, b: 0.3 m/s, k: 4}
bodies: {mass: {mass: 1 kg}}
joints: {x: {type: prismatic, axis: x, between: [ground, mass], spring: {stiffness: k}}}
start: {keep: {x: a}, speed: {x: b}}
simulate: {end: 2 s, rtol: 1e-10}
)";

struct Case {
  Case(const Model& model, const std::vector<std::string>& names, const std::vector<std::string>& texts,
       const std::vector<double>& scales)
      : varied(vary(model, names)), formulas(varied.model, varied.parameters) {
    for (const std::string& text : texts) formulas.add_number(text);
    study = std::make_unique<Study>(varied, formulas);
    missing = GradientStudy::missing(*study);
    if (missing.empty()) gradients = std::make_unique<GradientStudy>(*study, scales);
  }
  Eigen::MatrixXd exact(const std::vector<double>& point) {
    GradientRun run(*gradients, stop);
    EXPECT_EQ(run.run(point), MotionStatus::finished);
    values = run.values();
    return run.gradients();
  }
  std::vector<double> values_at(const std::vector<double>& point) {
    StudyRun run(*study, nullptr, stop);
    EXPECT_EQ(run.run(point), MotionStatus::finished);
    return run.values();
  }
  // Central differences of motions.
  Eigen::MatrixXd differences(const std::vector<double>& point, double step) {
    Eigen::MatrixXd result(static_cast<Eigen::Index>(formulas.formulas().size()),
                           static_cast<Eigen::Index>(point.size()));
    for (std::size_t d = 0; d < point.size(); ++d) {
      std::vector<double> above = point, below = point;
      above[d] += step, below[d] -= step;
      const auto more = values_at(above), less = values_at(below);
      for (std::size_t k = 0; k < more.size(); ++k)
        result(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(d)) = (more[k] - less[k]) / (2 * step);
    }
    return result;
  }

  Varied varied;
  MotionFormulas formulas;
  std::unique_ptr<Study> study;
  std::unique_ptr<GradientStudy> gradients;
  std::string missing;
  std::vector<double> values;
  StopFlag stop = false;
};

TEST(MotionGradient, OfAnOscillatorIsTheClosedForm) {
  Case c(read_model_text(started_oscillation), {"a", "b", "k"},
         {"final(x)", "at(x, 0.7)", "integral(x)", "max(x)", "a*final(x)^2 + k", "mean(x)", "initial(x)"}, {1, 1, 4});
  ASSERT_EQ(c.missing, "");
  const double a = 1.2, b = 0.3, k = 4, w = std::sqrt(k);
  const Eigen::MatrixXd g = c.exact({a, b, k});
  const auto x = [&](double t) { return a * std::cos(w * t) + b / w * std::sin(w * t); };
  // dx/da, dx/db, dx/dk = dx/dw / 2w
  const auto gradient = [&](double t) {
    const double by_w = -a * t * std::sin(w * t) - b / (w * w) * std::sin(w * t) + b / w * t * std::cos(w * t);
    return Eigen::RowVector3d(std::cos(w * t), std::sin(w * t) / w, by_w / (2 * w));
  };
  const double close = 1e-7;  // the sensitivities of 20 to 40 steps, each to fourth order in quarters of it
  EXPECT_LT((g.row(0) - gradient(2)).norm(), close);
  EXPECT_LT((g.row(1) - gradient(0.7)).norm(), close);
  // integral: (a/w) sin(wT) + (b/w^2) (1 - cos(wT))
  const double T = 2, s = std::sin(w * T), cosine = std::cos(w * T);
  const double by_w = -a / (w * w) * s + a / w * T * cosine - 2 * b / (w * w * w) * (1 - cosine) + b / (w * w) * T * s;
  const Eigen::RowVector3d integral(s / w, (1 - cosine) / (w * w), by_w / (2 * w));
  EXPECT_LT((g.row(2) - integral).norm(), close);
  EXPECT_LT((g.row(5) - integral / T).norm(), close);
  // the maximum is the amplitude sqrt(a^2 + b^2/k)
  const double A = std::sqrt(a * a + b * b / k);
  EXPECT_LT((g.row(3) - Eigen::RowVector3d(a / A, b / k / A, -b * b / (k * k) / (2 * A))).norm(), close);
  Eigen::RowVector3d chain = 2 * a * x(2) * gradient(2);
  chain[0] += x(2) * x(2), chain[2] += 1;
  EXPECT_LT((g.row(4) - chain).norm(), 5 * close);
  EXPECT_LT((g.row(6) - Eigen::RowVector3d(1, 0, 0)).norm(), 1e-10);
  EXPECT_EQ(c.values, c.values_at({a, b, k}));  // the motion is the same, bit for bit
}

// A closed loop with a motor: the start is assembled anew for every length.
TEST(MotionGradient, OfAClosedLoopAgreesWithDifferences) {
  Model model = shipped("slider_crank");
  model.simulate.end = 0.3;
  model.simulate.rtol = 1e-11;
  Case c(model, {"l1", "flywheel", "inductance", "crank"},
         {"final(slide)", "min(slide)", "integral(motor.current^2)", "final(crank)"}, {0.1, 1, 1e-3, 1});
  ASSERT_EQ(c.missing, "");
  const std::vector<double> point{0.2, 2, 1e-3, 0.4};
  const Eigen::MatrixXd exact = c.exact(point), near = c.differences(point, 1e-5);
  for (Eigen::Index k = 0; k < exact.rows(); ++k)
    for (Eigen::Index d = 0; d < exact.cols(); ++d)
      EXPECT_NEAR(exact(k, d), near(k, d), 1e-5 * (1e-2 + near.row(k).cwiseAbs().maxCoeff())) << k << " " << d;
}

// The times at which a formula changes its sign, and what ends or begins there.
TEST(MotionGradient, KnowsTimesOfEvents) {
  Case c(read_model_text(started_oscillation), {"a", "b", "k"},
         {"first(x < 0)", "last(x > 0)", "integral(if(x < 0, 1, 0))", "max(x, 0.2, 0.6)", "integral(x, 0.3, 1.1)",
          "mean(if(x < 0, x, 2))", "max(if(x < 0, 3 + x', 0))", "min(if(x > 0, x', 0))"},
         {1, 1, 4});
  ASSERT_EQ(c.missing, "");
  using Real = long double;
  // x = a cos(w t) + (b/w) sin(w t) is zero at tau, and falls there by R w
  const auto known = [](Real a, Real b, Real k) {
    const Real w = std::sqrt(k), tau = (std::numbers::pi_v<Real> / 2 + std::atan2(b / w, a)) / w;
    const auto x = [&](Real t) { return a * std::cos(w * t) + b / w * std::sin(w * t); };
    const auto X = [&](Real t) { return a / w * std::sin(w * t) - b / (w * w) * std::cos(w * t); };
    const Real fall = -std::sqrt(a * a + b * b / k) * w;
    return std::vector<Real>{
        tau, tau, 2 - tau, x(0.2L), X(1.1L) - X(0.3L), (2 * tau + X(2) - X(tau)) / 2, 0 /* by differences, below */,
        fall};
  };
  const Eigen::MatrixXd g = c.exact({1.2, 0.3, 4});
  for (int d = 0; d < 3; ++d) {
    const auto at = [&](Real shift) {
      Real p[] = {1.2L, 0.3L, 4};
      p[d] += shift;
      return known(p[0], p[1], p[2]);
    };
    const Real h = 1e-3L;
    const auto p1 = at(h), m1 = at(-h), p2 = at(2 * h), m2 = at(-2 * h);
    for (std::size_t k = 0; k < p1.size(); ++k) {
      if (k == 6) continue;
      const auto slope = static_cast<double>((8 * (p1[k] - m1[k]) - (p2[k] - m2[k])) / (12 * h));
      EXPECT_NEAR(g(static_cast<Eigen::Index>(k), d), slope, 1e-7) << k << " " << d;
    }
  }
  const Eigen::MatrixXd near = c.differences({1.2, 0.3, 4}, 1e-4);
  EXPECT_LT((g.row(6) - near.row(6)).norm(), 1e-6);
}

TEST(MotionGradient, SaysWhyThereIsNone) {
  Model press = shipped("press");
  press.simulate.integrator = "rk4";
  EXPECT_THAT(Case(press, {"w0"}, {"final(phi)"}, {1}).missing, HasSubstr("rk4 does not locate"));
}

// A ball on a rigid floor: the time of its first bounce, the height of the way up after it, the area under its flights and its end.
TEST(MotionGradient, GoesThroughRigidImpacts) {
  const Model model = read_model_text(R"model(armature: 1
name: bouncing ball
parameters: {h: 1 m, e: 0.7}
gravity: [0, -10, 0]
bodies: {ball: {mass: 2 kg}}
joints: {y: {type: prismatic, axis: y, between: [ground, ball]}}
forces: {slab: {type: contact, gap: y, restitution: e}}
start: {keep: {y: h}}
simulate: {end: 0.9 s, rtol: 1e-11}
)model");
  Case c(model, {"h", "e"}, {"first(y' > 0)", "max(y')", "integral(y)", "final(y)"}, {1, 1});
  ASSERT_EQ(c.missing, "");
  const double h = 1, e = 0.7, g = 10, T = 0.9;
  const Eigen::MatrixXd exact = c.exact({h, e});
  const double tau = std::sqrt(2 * h / g), V = g * tau, dtau = 1 / V, s = T - tau;
  const double known[4][2] = {
      {dtau, 0},
      {e * g * dtau, V},
      // h tau - g tau^3/6 + e V s^2/2 - g s^3/6
      {tau + h * dtau - g * tau * tau / 2 * dtau + e * g * dtau * s * s / 2 - (e * V * s - g * s * s / 2) * dtau,
       V * s * s / 2},
      {e * g * dtau * s - (e * V - g * s) * dtau, V * s}};
  for (int k = 0; k < 4; ++k)
    for (int p = 0; p < 2; ++p)
      EXPECT_NEAR(exact(k, p), known[k][p], 1e-8 * std::max(1.0, std::abs(known[k][p]))) << k << " " << p;
}

}  // namespace
}  // namespace armature::internal
