// The machines of docs/benchmarks.md: the numbers that must come out, and the size of their programs, on which their speed
// depends. Accelerations were computed apart, from Newton's and Euler's equations of the bodies in ground axes in 80-bit
// arithmetic (bench/reference.cpp); the motion of the 3RRR robot from equations in absolute angles written by hand
// (bench/hand_rrr.cpp), by RK4 with steps of 20 µs.
#include <gtest/gtest.h>

#include <map>

#include "observe/ledger.hpp"
#include "support/accelerations.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

void expect_accelerations(const char* model, const std::map<std::string, double>& expected) {
  const NamedAcceleration a = acceleration_at_start(prepared(shipped(model)));
  for (const auto& [name, value] : expected) EXPECT_NEAR(a.vdot.at(name), value, 1e-10) << model << " " << name;
}

TEST(BenchmarkMachines, AccelerateAtTheStart) {
  expect_accelerations("arm", {{"joint1'", 9.24992428945},
                               {"joint2'", -0.143972392117},
                               {"joint3'", 11.6166969337},
                               {"joint4'", -5.72932723683},
                               {"joint5'", 9.14056676758},
                               {"joint6'", 2.18007041728},
                               {"joint7'", 3.53965972653}});
  expect_accelerations("rrr_benchmark", {{"theta1'", 2.62061757058},
                                         {"theta2'", -2.34691389575},
                                         {"theta3'", 3.64099120042},
                                         {"elbow1'", -4.38139499936},
                                         {"wrist1'", -1.18495265258}});
}

TEST(BenchmarkMachines, TheRobotEndsWhereHandWrittenEquationsSay) {
  const Simulation run = simulated(shipped("rrr_benchmark"));
  EXPECT_NEAR(run.last("theta1"), 0.641972969611, 1e-8);
  EXPECT_NEAR(run.last("theta2"), -0.359615054259, 1e-8);
  EXPECT_NEAR(run.last("theta3"), 4.877450663453, 1e-8);
  EXPECT_NEAR(run.last("elbow3"), -5.247132906713 + 2 * M_PI, 1e-8);  // it starts within half a turn of zero
  EXPECT_NEAR(run.last("wrist1"), -0.793377462884, 1e-8);
}

// Counts as they were when this was written; fewer are welcome. The textbook sum over bodies in ground axes takes 40 116
// operations for the terms of the arm of 20 joints alone.
struct Size {
  const char* model;
  Settings settings;
  int most;  // operations of a constrained acceleration
};
class Operations : public testing::TestWithParam<Size> {};
INSTANTIATE_TEST_SUITE_P(Models, Operations,
                         testing::Values(Size{"rrr_benchmark", {}, 780}, Size{"arm", {{"n", "7"}}, 2010},
                                         Size{"arm", {{"n", "20"}}, 12310}, Size{"n_four_bar", {{"N", "10"}}, 1900},
                                         Size{"n_four_bar", {{"N", "40"}}, 7700}, Size{"press", {}, 180},
                                         Size{"stewart", {}, 6600}),
                         [](const auto& info) {
                           std::string name = info.param.model;
                           for (const auto& [key, value] : info.param.settings) name += "_" + value;
                           return name;
                         });

TEST_P(Operations, AreNoMoreThanTheMechanismNeeds) {
  Prepared machine = compile(shipped(GetParam().model, GetParam().settings));
  drop_ledger(machine);
  const Program* program = machine.system->program(Kernel::acceleration).get();
  ASSERT_NE(program, nullptr);
  EXPECT_LE(program->operation_count(), GetParam().most);
}

}  // namespace
}  // namespace armature::internal
