// A motor built from its data sheet, simulated without load and at rest, gives the numbers of the sheet back.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

constexpr double V = 12, w0 = 200 * std::numbers::pi, i0 = 0.1, R = 10;  // 6000 rpm
constexpr double K = (V - R * i0) / w0;                                  // 0.0175 N m/A
const std::string rest = "voltage: 12 V, no_load_speed: 6000 rpm, no_load_current: 0.1 A, ";

std::string motor_on(const std::string& joint, const std::string& sheet, const std::string& more) {
  return "gravity: [0, 0, 0]\nplane: xy\nbodies: {shaft: {mass: 1, inertia: {zz: 1e-6}}}\njoints: {turn: {type: " +
         joint +
         ", between: [ground, shaft]}}\n"
         "drives:\n  m: {type: dc_motor, on: turn, voltage: 12 V, datasheet: {" +
         sheet + "}" + more + "}\n";
}

Simulation without_load(const std::string& sheet, const std::string& more = "") {
  return simulated_text(motor_on("revolute", sheet, more) +
                        "simulate: {end: 3, record: 0.1, rtol: 1e-12, atol: 1e-14}");
}

// A stiff spring holds the shaft; where it has come to rest, its torque is that of the motor less dry friction.
double torque_at_rest(const std::string& sheet, const std::string& more = "") {
  const std::string spring = "forces: {hold: {type: torsion_spring, on: turn, stiffness: 0.1, damping: 1e-3}}\n";
  const Simulation run = simulated_text(motor_on("revolute", sheet, more) + spring +
                                        "simulate: {end: 3, record: 0.1, rtol: 1e-12, atol: 1e-14}");
  EXPECT_NEAR(run.last("turn'"), 0, 1e-12);
  EXPECT_NEAR(run.last("m.current"), V / R, 1e-7);  // where R follows from eight digits of the torque
  return 0.1 * run.last("turn");
}

std::string refusal(const std::string& sheet, const std::string& more = "") {
  try {
    prepared_text(motor_on("revolute", sheet, more));
  } catch (const ModelError& error) {
    return error.diagnostics().at(0).key + ": " + error.diagnostics()[0].message;
  }
  return "";
}

TEST(Datasheet, GivesItsFourNumbersBack) {
  const std::string sheet = rest + "stall_torque: 21.008452 mN*m, resistance: 10 Ohm";
  const Simulation run = without_load(sheet);
  EXPECT_NEAR(run.last("turn'"), w0, 1e-9 * w0);
  EXPECT_NEAR(run.last("m.current"), i0, 1e-9 * i0);
  EXPECT_NEAR(torque_at_rest(sheet), 21.008452e-3, 1e-9);  // eight digits of K V/R
  EXPECT_TRUE(run.outcome.warnings().empty());
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-9);
}

// The rounding of a sheet is not a contradiction.
TEST(Datasheet, MayRoundItsNumbers) {
  EXPECT_NEAR(torque_at_rest(rest + "stall_torque: 21 mN*m, resistance: 10 Ohm"), K * V / R, 1e-12);
}

TEST(Datasheet, GivesTheResistanceByTheStallTorque) {
  const std::string sheet = rest + "stall_torque: 21.008452 mN*m";
  const Simulation run = without_load(sheet);
  EXPECT_NEAR(run.last("turn'"), w0, 1e-9 * w0);
  EXPECT_NEAR(run.last("m.current"), i0, 1e-9 * i0);
  EXPECT_NEAR(torque_at_rest(sheet), 21.008452e-3, 1e-12);
  EXPECT_NEAR(without_load(rest + "resistance: 10 Ohm").last("turn'"), w0, 1e-9 * w0);
}

// Sheets that subtract all friction from the stall torque, T = K (V/R - i0), describe a motor with dry friction.
TEST(Datasheet, TakesDryFrictionOutOfTheNoLoadCurrent) {
  const std::string sheet = rest + "stall_torque: 19.257748 mN*m, resistance: 10 Ohm";
  EXPECT_NE(refusal(sheet).find("or with dry friction: coulomb_friction: 0.001751 N*m"), std::string::npos)
      << refusal(sheet);
  const std::string dry = ", coulomb_friction: 1.7507043 mN*m";
  const Simulation run = without_load(sheet, dry);
  EXPECT_NEAR(run.last("turn'"), w0, 1e-7 * w0);  // eight digits of K i0
  EXPECT_NEAR(run.last("m.current"), i0, 1e-7 * i0);
  EXPECT_NEAR(torque_at_rest(sheet, dry), 19.257748e-3, 1e-9);
  EXPECT_EQ(refusal(sheet, ", coulomb_friction: 3 mN*m"),
            "drives.m.coulomb_friction: must be at most the torque 0.001751 N m that the no-load current of the data "
            "sheet overcomes");
}

// 25 mN m: R = V^2/(T w0 + V i0) = 8.517 Ohm and w0 = (V - R i0) V/(R T) = 528 rad/s would agree.
TEST(Datasheet, NamesTheNumberThatContradictsTheOthers) {
  EXPECT_EQ(
      refusal(rest + "stall_torque: 25 mN*m, resistance: 10 Ohm"),
      "drives.m.datasheet.stall_torque: contradicts the rest of the sheet: 0.025 N m, where the other numbers give "
      "0.02101 N m. It would agree with a resistance of 8.517 Ohm or a no-load speed of 528 rad/s. Correct the "
      "wrong number, or leave out stall_torque or resistance");
  EXPECT_EQ(refusal("voltage: 12 V, no_load_speed: 6000 rpm, no_load_current: 1.3 A, resistance: 10 Ohm"),
            "drives.m.datasheet.no_load_current: must be below the stall current 1.2 A");
  EXPECT_EQ(refusal("voltage: 12 V, no_load_speed: 6000 rpm"),
            "drives.m.datasheet.resistance: is missing: give the resistance, the stall torque or both");
}

}  // namespace
}  // namespace armature::internal
