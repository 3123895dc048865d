// A force that a table gives for a moment is never stepped over. A mass of 1 kg gets the table's integral as its speed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/run_model.hpp"
#include "support/table_text.hpp"

namespace armature::internal {
namespace {

// 101 points over 100 s, with a triangle of 1 s and 5 N at t = 70 s.
std::string pulse(const std::string& keys) {
  const auto time = [](int i) { return i < 68 || i >= 73 ? i : 70 + 0.5 * (i - 70); };
  const std::string points = table_text(101, time, [](int i) { return i == 70 ? 5 : 0; });
  return fmt::format("tables: {{pulse: {{{}{}}}}}\n", points, keys);
}

Model pushed(const std::string& argument, const std::string& keys = "") {
  return read_model_text("armature: 1\nplane: xy\ngravity: [0, 0, 0]\n" + pulse(keys) +
                         "bodies: {b: {mass: 1 kg, inertia: none}}\njoints: {x: {type: prismatic, axis: x, between: [ground, b]}}\n"
                         "forces: {f: {type: effort, on: x, is: 1 N*pulse(" + argument + ")}}\n"
                         "simulate: {end: 100 s, record: 10 s}\n");
}

double final_speed(Model model, const char* integrator = "dopri5") {
  model.simulate.integrator = integrator;
  return simulated(model).last("x'");
}

TEST(TableStops, EveryErrorControlledMethodSeesAPulse) {
  for (const char* integrator : {"dopri5", "dop853", "radau5", "cvode_bdf", "cvode_adams", "ida", "auto"})
    EXPECT_NEAR(final_speed(pushed("t"), integrator), 2.5, 1e-4) << integrator;
}

TEST(TableStops, FollowTheArgumentOfTheTable) {
  EXPECT_NEAR(final_speed(pushed("100 - t")), 2.5, 1e-4);
  EXPECT_NEAR(final_speed(pushed("2*t")), 1.25, 1e-4);
  EXPECT_NEAR(final_speed(pushed("5*t", ", outside: repeat")), 2.5, 1e-4);  // five times
}

TEST(TableStops, HoldForSplines) {
  const double fine = [&] {
    Model model = pushed("t", ", interpolation: spline");
    model.simulate.max_step = 0.01;
    return final_speed(model);
  }();
  EXPECT_GT(fine, 2);
  EXPECT_NEAR(final_speed(pushed("t", ", interpolation: spline")), fine, 1e-4);
}

// A rotor that turns freely but for a narrow bump, of which every turn gets the work: w^2/2 grows by the area.
TEST(TableStops, HoldForBumpsOfAnAngle) {
  const std::string points = table_text(401, [](int i) { return i * std::numbers::pi / 200; }, [](int i) { return i == 150 ? 3 : 0; });
  const std::string model = fmt::format(
      "armature: 1\nplane: xy\ngravity: [0, 0, 0]\ntables: {{bump: {{{}, outside: repeat}}}}\n"
      "bodies: {{r: {{mass: 1 kg, inertia: {{zz: 1}}}}}}\njoints: {{turn: {{type: revolute, between: [ground, r]}}}}\n"
      "forces: {{f: {{type: effort, on: turn, is: 1 N*m*bump(turn)}}}}\nstart: {{speed: {{turn: -20 rad/s}}}}\nsimulate: {{end: 10 s, record: 1 s}}\n", points);
  const Simulation run = simulated(read_model_text(model));
  const double passes = std::floor(0.25 - run.last("turn") / (2 * std::numbers::pi)), area = 3 * std::numbers::pi / 200;
  EXPECT_GT(passes, 25);
  EXPECT_NEAR(std::pow(run.last("turn'"), 2) / 2, 200 - passes * area, 1e-3);
}

// Steps that a user has chosen stay as they are.
TEST(TableStops, LeaveFixedStepsAlone) {
  Model model = pushed("t");
  model.simulate.integrator = "rk4", model.simulate.step = 10;
  EXPECT_EQ(simulated(model).outcome.statistics.integrator.steps, 10);
}

}  // namespace
}  // namespace armature::internal
