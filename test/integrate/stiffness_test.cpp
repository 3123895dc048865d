// Steps that stability limits are told from steps that accuracy limits, and `auto` changes its method there.
#include "integrate/stiffness.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "integrate/embedded.hpp"
#include "integrate/problems.hpp"
#include "integrate/stability.hpp"
#include "integrate/switching.hpp"

namespace armature::internal {
namespace {

// u' = -rate (u - cos t) - sin t,  w' = -w: u = cos t, and any other u settles there within 1/rate.
Problem settling(double rate) {
  return {2, [rate](double t, const double* x, double* xdot) {
            xdot[0] = -rate * (x[0] - std::cos(t)) - std::sin(t);
            xdot[1] = -x[1];
            return true;
          }};
}

// q'' = -omega^2 q, which rings for ever, and q' is in proportion to it.
Problem ringing(double omega) {
  return {2, [omega](double, const double* x, double* xdot) {
            xdot[0] = x[1];
            xdot[1] = -omega * omega * x[0];
            return true;
          }};
}

StiffnessTest tested(const char* name, Problem problem, double t_stop, double tolerance = 1e-8) {
  Embedded integrator(tableau(name), problem, tolerances(problem, tolerance));
  integrator.start(0, Eigen::VectorXd::Ones(problem.size()));
  EXPECT_EQ(run(integrator, t_stop), StepStatus::ok);
  return *integrator.stiffness();
}

class Stiffness : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Pairs, Stiffness, testing::Values("dopri5", "dop853"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(Stiffness, BoundaryIsThatOfTheStabilityFunction) {
  const Tableau& method = tableau(GetParam());
  EXPECT_NEAR(method.stable, stable_length(method, -1.0), 0.05);
  EXPECT_EQ(method.c[method.stages - 1], 1);  // the last stage lies at the end of the step
}

// The largest eigenvalue is -rate, exactly; the estimate is that of the steps' own differences.
TEST_P(Stiffness, IsFoundWhereAFastModeSettlesAtAnyTolerance) {
  for (const double tolerance : {1e-4, 1e-8, 1e-10}) {
    const StiffnessTest test = tested(GetParam(), settling(1e5), 0.1, tolerance);
    EXPECT_TRUE(test.stiff()) << tolerance;
    EXPECT_NEAR(test.rate(), 1e5, 1e4) << tolerance;
    EXPECT_EQ(test.entry(), 0) << tolerance;
  }
}

TEST_P(Stiffness, IsNotFoundWhereSomethingRingsOrMovesSmoothly) {
  for (const double tolerance : {1e-4, 1e-8, 1e-10}) {
    EXPECT_FALSE(tested(GetParam(), ringing(1e4), 0.1, tolerance).stiff()) << tolerance;
    EXPECT_FALSE(tested(GetParam(), smooth_problem(), 100, tolerance).stiff()) << tolerance;
  }
}

// h |lambda| is near the boundary from 0.85 to 1.5 of it (docs/thresholds.md): a mode beside it is one that accuracy limits, or one that
// others drive.
TEST_P(Stiffness, IsNearTheBoundaryFrom85To150PerCentOfIt) {
  const Tableau& method = tableau(GetParam());
  Problem problem = smooth_problem();
  const Tolerance tolerance{1e-8, Eigen::VectorXd::Constant(problem.size(), 1e-8)};
  const Eigen::VectorXd x = Eigen::VectorXd::Ones(problem.size()), apart = 1e-9 * x;
  for (const auto& [share, near] : {std::pair{0.84, false}, {0.86, true}, {1.49, true}, {1.51, false}}) {
    StiffnessTest test(method);
    for (int k = 0; k < 100; ++k) test.look(share * method.stable / 1e3, tolerance, 1e3 * apart, apart, x);
    EXPECT_EQ(test.stiff(), near) << share;
  }
}

// The fast mode is there from the beginning, but until it has settled its steps are those of accuracy.
TEST(Switching, TakesTheImplicitMethodOnceStepsAreStiff) {
  Problem problem = settling(1e6);
  Switching integrator(problem, tolerances(problem, 1e-8));
  integrator.start(0, Eigen::VectorXd::Ones(2));
  ASSERT_EQ(run(integrator, 10), StepStatus::ok);
  ASSERT_TRUE(integrator.switched().has_value());
  EXPECT_LT(*integrator.switched(), 0.01);
  EXPECT_LT(integrator.statistics().steps, 3000);  // dopri5 alone: 10 * 1e6 / 3.3
  EXPECT_NEAR(integrator.x()[0], std::cos(10.0), 1e-6);
  EXPECT_NEAR(integrator.x()[1], std::exp(-10.0), 1e-6);
}

TEST(Switching, HasTheBitsOfTheExplicitMethodWhereNothingIsStiff) {
  Problem problem = smooth_problem();
  Switching integrator(problem, tolerances(problem, 1e-8));
  Embedded alone(tableau("dopri5"), problem, tolerances(problem, 1e-8));
  integrator.start(0, smooth_solution(0));
  alone.start(0, smooth_solution(0));
  run(integrator, 20), run(alone, 20);
  EXPECT_EQ(integrator.x(), alone.x());
  EXPECT_EQ(integrator.statistics().steps, alone.statistics().steps);
  EXPECT_FALSE(integrator.switched().has_value());
}

// Steps of both methods can be stored and looked at elsewhere.
TEST(Switching, StoresItsStepsBeforeAndAfter) {
  Problem problem = settling(1e6);
  Switching integrator(problem, tolerances(problem, 1e-8));
  integrator.start(0, Eigen::VectorXd::Ones(2));
  const std::unique_ptr<StoredStep> stored = integrator.stored_steps()(problem);
  std::vector<double> numbers;
  Eigen::VectorXd expected, found;
  while (integrator.t() < 1) {
    ASSERT_EQ(integrator.step(1), StepStatus::ok);
    numbers.clear();
    integrator.store(numbers);
    ASSERT_EQ(stored->load(numbers.data()), numbers.data() + numbers.size());
    const double t = 0.5 * (integrator.previous_t() + integrator.t());
    integrator.interpolate(t, expected);
    stored->interpolate(t, found);
    ASSERT_EQ(found, expected) << integrator.t();
    ASSERT_EQ(stored->x(), integrator.x());
  }
  EXPECT_TRUE(integrator.switched().has_value());
}

}  // namespace
}  // namespace armature::internal
