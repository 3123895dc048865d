// What derivatives cost, in plain motions.
#include <algorithm>
#include <ctime>

#include "cost_case.hpp"

namespace armature::internal {
namespace {

// Processor time of the fastest of some runs, s.
template <class Work>
double seconds_of(const Work& work) {
  double least = 1e9;
  for (int k = 0; k < 25; ++k) {
    const std::clock_t begin = std::clock();
    work();
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return least;
}

// A plain motion and one with the derivatives by all 24 parameters.
double cost_of(CostCase& c) {
  SignalRun run(*c.study);
  const auto n = c.own.size();
  EXPECT_EQ(n, 24);
  const double plain = seconds_of([&] { run.run({c.own}, c.stop); });
  const double with = seconds_of([&] { run.run({c.own, Eigen::MatrixXd::Identity(n, n), Eigen::VectorXd::Ones(n)}, c.stop); });
  std::printf("24 derivatives cost %.2f plain motions (%.3g ms, %ld steps)\n", with / plain, 1e3 * plain, run.steps());
  return with / plain;
}

TEST(SensitivityCost, Of24ParametersOfA3rrrIsThatOfAFewMotions) {
  CostCase c(robot_of_24, {"theta1", "motor2.current"}, {0, 0.5, 1, 2});
  EXPECT_LT(cost_of(c), 10);
}

TEST(SensitivityCost, Of24ParametersOfAFiveBarIsThatOfAFewMotions) {
  CostCase c(five_bar_of_24, {"theta1", "motor2.current"}, {0, 0.5, 1});
  EXPECT_LT(cost_of(c), 10);
}

}  // namespace
}  // namespace armature::internal
