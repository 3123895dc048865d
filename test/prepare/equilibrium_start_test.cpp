// Starts at rest: oil that holds a load, and what a start says of its way there.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using ::testing::Contains;

// A mass of 500 kg on an upright cylinder whose valve is closed.
std::string on_oil(double load, const std::string& further) {
  return fmt::format(R"yaml(
plane: xy
gravity: [0, {}, 0]
bodies: {{table: {{mass: 500 kg}}}}
joints: {{stroke: {{type: prismatic, axis: y, between: [ground, table]}}}}
drives:
  cylinder:
    {{type: hydraulic_cylinder, on: stroke, bore: 80 mm, rod: 45 mm, stroke: 0.7 m, rated_flow: 20e-3 m^3/min,
     supply_pressure: 180 bar, valve: 0{}}}
start: {{equilibrium: true, keep: {{stroke: 0.3}}}}
simulate: {{end: 1 s, record: 0.1 s}}
)yaml",
                     load, further);
}

const double bore = std::numbers::pi / 4 * 0.08 * 0.08, ring = bore - std::numbers::pi / 4 * 0.045 * 0.045;

// pa A = m g: the chamber below the piston carries the weight, the other one keeps the pressure of the tank.
TEST(StartOnOil, RestsWhereItStands) {
  const Simulation run = simulated(read_model_text("armature: 1" + on_oil(-10, "")));
  EXPECT_NEAR(run.at(0, "cylinder.pressure_a"), 5000 / bore, 1e-3);
  EXPECT_NEAR(run.at(0, "cylinder.pressure_b"), 0, 1e-3);
  for (int row = 0; row <= 10; ++row) EXPECT_NEAR(run.at(row, "stroke"), 0.3, 1e-9);
  EXPECT_THAT(run.prepared.notes, Contains("started at the static equilibrium, which is the assembled pose"));
}

// Pulled, it hangs on the oil above the piston: pb a = m g; the tank has 2 bar, pa = 2 bar: pb a = m g + pa A.
TEST(StartOnOil, HangsOnTheOtherChamber) {
  const Simulation run = simulated(read_model_text("armature: 1" + on_oil(10, ", tank_pressure: 2 bar")));
  EXPECT_NEAR(run.at(0, "cylinder.pressure_a"), 2e5, 1e-3);
  EXPECT_NEAR(run.at(0, "cylinder.pressure_b"), (5000 + 2e5 * bore) / ring, 1e-3);
  for (int row = 0; row <= 10; ++row) EXPECT_NEAR(run.at(row, "stroke"), 0.3, 1e-9);
}

// Oil leaks past the piston until both pressures are equal: p (A - a) = m g.
TEST(StartOnOil, LeaksUntilBothPressuresAreEqual) {
  const Simulation run = simulated(read_model_text("armature: 1" + on_oil(-10, ", leakage: 1e-13")));
  EXPECT_NEAR(run.at(0, "cylinder.pressure_a"), 5000 / (bore - ring), 1e-3);
  EXPECT_NEAR(run.at(0, "cylinder.pressure_b"), 5000 / (bore - ring), 1e-3);
  for (int row = 0; row <= 10; ++row) EXPECT_NEAR(run.at(row, "stroke"), 0.3, 1e-9);
}

// m g = k x, in the words of the note: which coordinate, and its unit.
TEST(StartInEquilibrium, SaysHowFarItIsFromTheAssembledPose) {
  const Prepared start = prepared_text(R"yaml(
plane: xy
gravity: [0, -10, 0]
bodies: {car: {mass: 2 kg}, wheel: {mass: 1, inertia: {zz: 1}}}
joints:
  turn: {type: revolute, between: [ground, wheel], spring: {stiffness: 1}}
  x: {type: prismatic, axis: y, between: [ground, car], spring: {stiffness: 100 N/m}}
start: equilibrium
)yaml");
  EXPECT_THAT(start.notes, Contains("started at the static equilibrium, 0.2 m (x) from the assembled pose"));
}

}  // namespace
}  // namespace armature::internal
