// A spatial arm whose tip is held on a moving point of a circle. The constraint is square: the motion is that of inverse
// kinematics, and the multipliers give the torques of the joints (test/data/arm_on_circle_exact.csv).
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>

#include "support/reference_data.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using Eigen::Vector3d;

// The test's data have twelve digits.
TEST(ArmOnCircle, FollowsTheExactMotion) {
  const Simulation run = simulated(shipped("arm_on_circle"));
  const ReferenceData data("arm_on_circle_exact.csv");
  for (int row = 0; row < data.rows(); ++row) {
    const int at = static_cast<int>(std::lround(data["t"][row] / 0.1));
    for (const char* k : {"1", "2", "3"}) {
      ASSERT_NEAR(run.at(at, std::string("q") + k), data[std::string("q") + k][row], 1e-8);
      ASSERT_NEAR(run.at(at, std::string("q") + k + "'"), data[std::string("u") + k][row], 1e-8);
    }
  }
}

// Joint torques Qc = -Phi' lambda.
TEST(ArmOnCircle, MultipliersGiveTheJointTorques) {
  const Simulation run = simulated(shipped("arm_on_circle"));
  const ReferenceData data("arm_on_circle_exact.csv");
  SystemEvaluator evaluator(run.prepared.system);
  Terms terms = evaluator.make_terms();
  for (int row = 0; row < data.rows(); ++row) {
    const int at = static_cast<int>(std::lround(data["t"][row] / 0.1));
    Eigen::VectorXd x = Eigen::VectorXd::Zero(run.prepared.system->layout().nx());
    for (int k = 0; k < 3; ++k) {
      x[k] = run.at(at, "q" + std::to_string(k + 1));
      x[3 + k] = run.at(at, "q" + std::to_string(k + 1) + "'");
    }
    evaluator.set(run.at(at, "t"), x.data());
    evaluator.position(terms);
    const Vector3d lambda(run.at(at, "lambda.circle.x"), run.at(at, "lambda.circle.y"), run.at(at, "lambda.circle.z"));
    const Vector3d torque = -terms.Phi.transpose() * lambda;
    EXPECT_NEAR(torque[0], data["Qc1"][row], 1e-8);
    EXPECT_NEAR(torque[1], data["Qc2"][row], 1e-8);
    EXPECT_NEAR(torque[2], data["Qc3"][row], 1e-8);
    EXPECT_NEAR(run.at(at, "circle.x"), -lambda[0], 0);  // the effort recorded under the constraint's name
  }
}

Vector3d circle(double t) {
  const double c = std::cos(t) / (2 * std::sqrt(2)), s = std::sin(t) / (2 * std::sqrt(6));
  return {1 + c + s, 1 - c + s, 1 - 2 * s};
}
Vector3d circle_speed(double t) {
  const double c = -std::sin(t) / (2 * std::sqrt(2)), s = std::cos(t) / (2 * std::sqrt(6));
  return {c + s, -c + s, -2 * s};
}

// (1/T) sqrt(trapezoidal sum over the samples of |error|^2), of position and velocity of the tip.
struct Indices {
  double position, velocity;
};
Indices indices(const Simulation& run, double step) {
  const auto t = run.column("t");
  double position = 0, velocity = 0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    Vector3d p, v;
    const char* part[] = {"x", "y", "z"};
    for (int k = 0; k < 3; ++k) {
      p[k] = run.at(static_cast<int>(i), std::string("lower.tip.") + part[k]);
      v[k] = run.at(static_cast<int>(i), std::string("speed.") + part[k]);
    }
    const double weight = (i == 0 || i + 1 == t.size() ? 0.5 : 1) * step;
    position += weight * (p - circle(t[i])).squaredNorm();
    velocity += weight * (v - circle_speed(t[i])).squaredNorm();
  }
  return {std::sqrt(position) / t.back(), std::sqrt(velocity) / t.back()};
}

Simulation with_baumgarte(const char* integrator) {
  Model model = shipped("arm_on_circle");
  model.definitions.push_back({"speed", parse_formula("lower.tip'", {})});
  model.simulate.integrator = integrator;
  model.simulate.step = model.simulate.record = 0.1;
  model.simulate.end = 40;
  model.simulate.projection = false;
  model.simulate.alpha = 9.5;
  model.simulate.beta = 4.5;
  return simulated(prepared(model));
}

// As many digits as the indices are known to.
TEST(ArmOnCircle, EulerWithBaumgarteHasItsError) {
  const Simulation run = with_baumgarte("euler");
  EXPECT_EQ(run.outcome.status, RunStatus::failed);  // the tip leaves its circle by centimetres; all rows are there
  const Indices e = indices(run, 0.1);
  EXPECT_NEAR(e.position, 4.838166e-3, 5e-10);
  EXPECT_NEAR(e.velocity, 2.576787e-3, 5e-10);
}

TEST(ArmOnCircle, Rk4WithBaumgarteHasItsError) {
  const Simulation run = with_baumgarte("rk4");
  EXPECT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  const Indices e = indices(run, 0.1);
  EXPECT_NEAR(e.position, 1.359032e-6, 5e-13);
  EXPECT_NEAR(e.velocity, 1.212084e-5, 5e-12);
}

}  // namespace
}  // namespace armature::internal
