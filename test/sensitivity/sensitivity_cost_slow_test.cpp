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

// A plain motion, and one with derivatives along 24 directions in the parameters.
double cost_of(SignalCase& c, const Eigen::MatrixXd& directions) {
  SignalRun run(*c.study);
  const double plain = seconds_of([&] { run.run({c.own}, c.stop); });
  const double with = seconds_of([&] { run.run({c.own, directions, Eigen::VectorXd::Ones(c.own.size())}, c.stop); });
  std::printf("24 derivatives cost %.2f plain motions (%.3g ms, %ld steps)\n", with / plain, 1e3 * plain, run.steps());
  return with / plain;
}

double cost_of_24(const char* text, const std::vector<double>& times) {
  CostCase c(text, {"theta1", "theta2", "motor1.current", "motor2.current"}, times);
  EXPECT_EQ(c.own.size(), 24);
  return cost_of(c, Eigen::MatrixXd::Identity(24, 24));
}

TEST(SensitivityCost, Of24ParametersIsThatOfAFewMotions) {
  EXPECT_LT(cost_of_24(robot_of_24, {0, 0.5, 1, 2}), 8);
  EXPECT_LT(cost_of_24(five_bar_of_24, {0, 0.5, 1}), 8);
}

// All 24 parameters of both machines, against differences of tightly solved motions. Inductances have so small an effect that the tolerance
// of the motions shows in short differences, and lengths so bent a one that long differences err.
TEST(SensitivityCost, IsOfExactDerivatives) {
  for (const char* text : {robot_of_24, five_bar_of_24}) {
    Model model = read_model_text(text);
    model.simulate.rtol = 1e-12;
    SignalCase c(model, CostCase::parameters_of(text), {"theta1", "theta2'", "motor2.current"}, {0.1, 0.3, 0.4});
    ASSERT_EQ(c.own.size(), 24);
    const Eigen::MatrixXd exact = c.derivatives_at(c.own), near = c.differences_at(c.own, 1e-3),
                          far = c.differences_at(c.own, 1e-2);
    for (Eigen::Index k = 0; k < 24; ++k) {
      const std::string& name = c.order[static_cast<std::size_t>(k)];
      EXPECT_LT(relative_difference(exact.col(k), (name.starts_with("L") ? far : near).col(k)), 1e-7) << name;
    }
  }
}

// As a fit takes them: four signals at 1 kHz.
TEST(SensitivityCost, OfSignalsAtManyTimesIsThatOfAFewMotionsMore) {
  std::vector<double> times;
  for (int k = 0; k <= 1000; ++k) times.push_back(1e-3 * k);
  EXPECT_LT(cost_of_24(robot_of_24, times), 20);
  EXPECT_LT(cost_of_24(five_bar_of_24, times), 20);
}

// Machines of other sizes, along 24 directions in few parameters.
TEST(SensitivityCost, OfOtherMachinesIsThatOfAFewMotionsToo) {
  struct Case {
    const char* name;
    Settings settings;
    std::vector<std::string> free;
    double end;
  };
  for (const Case& c :
       {Case{"rrr_motors", {{"inductance", "2 mH"}}, {"l1", "l2", "m2", "side", "radius", "inductance"}, 0.25},
        Case{"pendulum", {}, {"length"}, 2}, Case{"slider_crank", {}, {"l1", "flywheel"}, 0.5},
        Case{"stewart", {}, {"base", "top"}, 0.5}, Case{"n_four_bar", {{"N", "20"}}, {"L", "m"}, 0.5},
        Case{"squeezer", {}, {"xa", "ya", "xb"}, 0.002}}) {
    Model model = shipped(c.name, c.settings);
    model.simulate.integrator = "dopri5", model.simulate.rtol = 1e-8;
    const std::clock_t begin = std::clock();
    SignalCase machine(model, c.free, {"t"}, {c.end});
    std::printf("%s, compiled in %.0f ms: ", c.name, 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    EXPECT_LT(cost_of(machine, Eigen::MatrixXd::Random(machine.own.size(), 24)), 10) << c.name;
  }
}

}  // namespace
}  // namespace armature::internal
