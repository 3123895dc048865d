// What derivatives cost, in plain motions.
#include <algorithm>
#include <ctime>

#include "signal_case.hpp"

namespace armature::internal {
namespace {

// Processor time of the fastest of some runs, s.
template <class Work>
double seconds_of(const Work& work) {
  double least = 1e9;
  for (int k = 0; k < 7; ++k) {
    const std::clock_t begin = std::clock();
    work();
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return least;
}

// 24 directions in the parameters of the 3RRR robot with motors.
TEST(SensitivityCost, Of24ParametersIsThatOfAFewMotions) {
  Model model = shipped("rrr_motors", {{"inductance", "2 mH"}});
  model.simulate.rtol = 1e-8;
  SignalCase c(model, {"l1", "l2", "m2", "side", "radius", "inductance"}, {"theta1", "motor2.current"}, {0, 0.1, 0.2, 0.25});
  SignalRun run(*c.study);
  const auto n = c.own.size();
  const Eigen::MatrixXd directions = Eigen::MatrixXd::Random(n, 24);
  const double plain = seconds_of([&] { run.run({c.own}, c.stop); });
  const double with = seconds_of([&] { run.run({c.own, directions, Eigen::VectorXd::Ones(n)}, c.stop); });
  RecordProperty("motions", std::to_string(with / plain));
  std::printf("24 derivatives cost %.2f plain motions (%.3g ms)\n", with / plain, 1e3 * plain);
  EXPECT_LT(with / plain, 150);
}

}  // namespace
}  // namespace armature::internal
