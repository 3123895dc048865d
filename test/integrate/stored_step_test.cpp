// A step that was stored interpolates as the integrator did, bit for bit.
#include <gmock/gmock.h>

#include "integrate/pendulum.hpp"
#include "integrate/problems.hpp"

namespace armature::internal {
namespace {

class StoredSteps : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Names, StoredSteps,
                         testing::Values("euler", "semi_implicit_euler", "rk4", "dopri5", "dop853", "radau5",
                                         "cvode_bdf", "cvode_adams"),
                         [](const auto& info) { return std::string(info.param); });

struct SeenStep {
  double previous_t, t;
  std::vector<Eigen::VectorXd> x;  // at parts of the step
  bool operator==(const SeenStep&) const = default;
};

SeenStep seen(const Step& step) {
  SeenStep result{step.previous_t(), step.t(), {}};
  for (const double part : {0.0, 0.3, 0.7, 1.0}) {
    Eigen::VectorXd x;
    step.interpolate(part == 1 ? step.t() : step.previous_t() + part * (step.t() - step.previous_t()), x);
    result.x.push_back(x);
  }
  return result;
}

// Some steps, a new start elsewhere, some more; every other step was interpolated before it was stored.
TEST_P(StoredSteps, InterpolateWithTheSameBits) {
  Problem problem = smooth_problem(), other = smooth_problem();
  IntegratorOptions options = tolerances(problem, 1e-7);
  options.step = 0.01;
  const auto integrator = make_integrator(GetParam(), problem, options);
  std::vector<double> numbers;
  std::vector<SeenStep> expected;
  for (const double start : {0.0, 0.7}) {
    integrator->start(start, smooth_solution(start));
    for (int k = 0; k < 5; ++k) {
      ASSERT_EQ(integrator->step(10), StepStatus::ok);
      if (k % 2 == 1) expected.push_back(seen(*integrator));
      integrator->store(numbers);
      if (k % 2 == 0) expected.push_back(seen(*integrator));
    }
  }
  const auto step = integrator->stored_steps()(other);
  const double* at = numbers.data();
  for (const SeenStep& one : expected) {
    at = step->load(at);
    EXPECT_EQ(seen(*step), one) << one.t;
  }
  EXPECT_EQ(at, numbers.data() + numbers.size());
}

// Stages that dense output adds are evaluated where they are asked for, and counted there.
TEST(StoredSteps, OfDop853AskForStagesThatWereNotEvaluated) {
  Problem problem = smooth_problem(), other = smooth_problem();
  const auto integrator = make_integrator("dop853", problem, tolerances(problem, 1e-7));
  integrator->start(0, smooth_solution(0));
  integrator->step(1);
  const long evaluations = integrator->statistics().evaluations;
  std::vector<double> numbers;
  integrator->store(numbers);
  EXPECT_EQ(integrator->statistics().evaluations, evaluations);
  const auto step = integrator->stored_steps()(other);
  step->load(numbers.data());
  EXPECT_EQ(step->evaluations(), 0);
  Eigen::VectorXd x;
  for (const double part : {0.2, 0.6}) step->interpolate(part * step->t(), x);
  EXPECT_EQ(step->evaluations(), 3);
}

}  // namespace
}  // namespace armature::internal
