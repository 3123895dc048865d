#include "integrate/inner_steps.hpp"

#include <gtest/gtest.h>

#include "integrate/problems.hpp"

namespace armature::internal {
namespace {

class InnerStepsOfASmoothProblem : public testing::Test {
 protected:
  static IntegratorOptions options() {
    IntegratorOptions options;
    options.rtol = 1e-10, options.atol = Eigen::VectorXd::Constant(3, 1e-12);
    return options;
  }
  Eigen::VectorXd at(InnerSteps& steps, double t) {
    Eigen::VectorXd x;
    EXPECT_TRUE(steps.reach(0, smooth_solution(0).eval().data(), 2, t, x));
    return x;
  }
  Problem ode = smooth_problem();
  long evaluations = 0;
};

TEST_F(InnerStepsOfASmoothProblem, AreAsAccurateAsTheIntegration) {
  InnerSteps steps(*find_tableau("dop853"), ode, options(), evaluations);
  for (const double t : {0.1, 0.7, 1.3, 2.0}) EXPECT_LT((at(steps, t) - smooth_solution(t)).norm(), 1e-8) << t;
  EXPECT_GT(evaluations, 0);
}

TEST_F(InnerStepsOfASmoothProblem, DoNotDependOnWhatElseIsAskedFor) {
  InnerSteps forward(*find_tableau("dop853"), ode, options(), evaluations);
  InnerSteps backward(*find_tableau("dop853"), ode, options(), evaluations);
  const double times[] = {0.1, 0.7, 1.3, 1.9};
  std::vector<Eigen::VectorXd> seen;
  for (const double t : times) seen.push_back(at(forward, t));
  for (int k = 3; k >= 0; --k) EXPECT_EQ(at(backward, times[k]), seen[static_cast<std::size_t>(k)]);  // every bit
}

}  // namespace
}  // namespace armature::internal
