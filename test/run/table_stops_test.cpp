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
  return read_model_text(
      "armature: 1\nplane: xy\ngravity: [0, 0, 0]\n" + pulse(keys) +
      "bodies: {b: {mass: 1 kg, inertia: none}}\njoints: {x: {type: prismatic, axis: x, between: [ground, b]}}\n"
      "forces: {f: {type: effort, on: x, is: 1 N*pulse(" +
      argument +
      ")}}\n"
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
  const std::string points = table_text(
      401, [](int i) { return i * std::numbers::pi / 200; }, [](int i) { return i == 150 ? 3 : 0; });
  const std::string model = fmt::format(
      "armature: 1\nplane: xy\ngravity: [0, 0, 0]\ntables: {{bump: {{{}, outside: repeat}}}}\n"
      "bodies: {{r: {{mass: 1 kg, inertia: {{zz: 1}}}}}}\njoints: {{turn: {{type: revolute, between: [ground, r]}}}}\n"
      "forces: {{f: {{type: effort, on: turn, is: 1 N*m*bump(turn)}}}}\nstart: {{speed: {{turn: -20 "
      "rad/s}}}}\nsimulate: {{end: 10 s, record: 1 s}}\n",
      points);
  const Simulation run = simulated(read_model_text(model));
  const double passes = std::floor(0.25 - run.last("turn") / (2 * std::numbers::pi)), area = 3 * std::numbers::pi / 200;
  EXPECT_GT(passes, 25);
  EXPECT_NEAR(std::pow(run.last("turn'"), 2) / 2, 200 - passes * area, 1e-3);
}

// 101 points over 100, with a triangle of 0.02 and 500 at 70 or another place; 1 N more.
Model sped_up(const std::string& argument, const std::string& force = "1 N", const std::string& more = "",
              int place = 70) {
  std::string x, y;
  for (int i = 0; i <= 100; ++i) {
    x += fmt::format("{}{}", i ? ", " : "", std::abs(i - place) > 2 ? i : place + 0.01 * (i - place));
    y += fmt::format("{}{}", i ? ", " : "", i == place ? 500 : 0);
  }
  return read_model_text(
      fmt::format("armature: 1\nplane: xy\ngravity: [0, 0, 0]\ntables: {{pulse: {{x: [{}], y: [{}]{}}}}}\n"
                  "bodies: {{b: {{mass: 1 kg, inertia: none}}}}\njoints: {{x: {{type: prismatic, axis: x, between: "
                  "[ground, b]}}}}\n"
                  "forces: {{f: {{type: effort, on: x, is: 1 N*pulse({}) + {}}}}}\nsimulate: {{end: 12 s, record: 1 s, "
                  "rtol: 1e-9}}\n",
                  x, y, more, argument, force));
}

// The work: v^2/2 = x + 5. From rest, its speed says nothing of when the mass is there.
TEST(TableStops, SeeABumpOfAPositionThatSpeedsUp) {
  for (const char* integrator : {"dopri5", "dop853", "radau5", "cvode_bdf", "cvode_adams", "ida", "auto"}) {
    Model model = sped_up("x/(1 m)");
    model.simulate.integrator = integrator;
    const Simulation run = simulated(model);
    EXPECT_NEAR(std::pow(run.last("x'"), 2) / 2 - run.last("x"), 5, 1e-4) << integrator;
  }
}

// A spline swings before the bump, so far that it repels the mass.
TEST(TableStops, SeeWhatASplineDoesBesideABump) {
  Model model = sped_up("x/(1 m)", "1 N", ", interpolation: spline");
  const double found = final_speed(model);
  model.simulate.max_step = 1e-4;
  EXPECT_NEAR(found, final_speed(model), 1e-5);
  EXPECT_LT(found, 11);  // 12 without it
}

TEST(TableStops, SeeABumpThatComesWithAJerk) {
  Model model = sped_up("x/(1 m)", "1 N*t");
  const double found = final_speed(model);
  model.simulate.max_step = 1e-3;
  EXPECT_NEAR(found, final_speed(model), 1e-5);
  EXPECT_GT(found, 72.1);  // 12^2/2 without the bump
}

// v' = 1 + pulse(v): the speeds of the pulse, 0.02, take 2*0.01*ln(501)/500 instead.
TEST(TableStops, SeeABumpOfASpeed) {
  Model model = sped_up("x'/(1 m/s)");
  model.simulate.end = 100;
  EXPECT_NEAR(final_speed(model), 100 + 0.02 - 0.02 * std::log(501) / 500, 1e-6);
}

// There and back again between rest and rest: no speed at either end of a step that is long enough.
TEST(TableStops, SeeABumpBetweenRestAndRest) {
  Model model = sped_up("x/(1 m)", "6 N*(1 - 2*t/12)");  // x = 3 t^2 (1 - t/18), 144 m at rest after 12 s
  const double found = final_speed(model);
  model.simulate.max_step = 1e-3;
  EXPECT_NEAR(found, final_speed(model), 1e-5);
  EXPECT_GT(found, 0.1);
}

// v would rise to 18 and fall again. From 17 on the pulse holds it: down its far side force and pulse are in balance, 500 (17.01 - v)/0.01 =
// 6 (t/6 - 1), at t = 12.
TEST(TableStops, SeeABumpOfASpeedThatTurnsBack) {
  for (const char* integrator : {"dopri5", "dop853", "radau5", "cvode_bdf", "cvode_adams", "ida", "auto"}) {
    Model model = sped_up("x'/(1 m/s)", "6 N*(1 - 2*t/12)", "", 17);
    model.simulate.integrator = integrator;
    EXPECT_NEAR(final_speed(model, integrator), 17.01 - 6 * 0.01 / 500, 1e-6) << integrator;
  }
}

// Steps that a user has chosen stay as they are.
TEST(TableStops, LeaveFixedStepsAlone) {
  Model model = pushed("t");
  model.simulate.integrator = "rk4", model.simulate.step = 10;
  EXPECT_EQ(simulated(model).outcome.statistics.integrator.steps, 10);
}

}  // namespace
}  // namespace armature::internal
