// What is said about drives and controllers that are wrong.
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

std::string message(const std::string& text) {
  try {
    prepared_text(
        "gravity: [0, 0, 0]\nplane: xy\nbodies: {disc: {mass: 1, inertia: {zz: 0.02}}, car: {mass: 1}}\n"
        "joints:\n  turn: {type: revolute, between: [ground, disc]}\n  roll: {type: prismatic, axis: x, between: "
        "[ground, car]}\n" +
        text);
  } catch (const ModelError& error) {
    return error.diagnostics().at(0).key + ": " + error.diagnostics()[0].message;
  }
  return "";
}

std::string motor(const std::string& text) { return message("drives: {m: {type: dc_motor, " + text + "}}\n"); }

const std::string needed = "torque_constant: 1, resistance: 1, ";

TEST(DriveErrors, SayWhatIsMissing) {
  EXPECT_EQ(motor("on: turn, " + needed), "drives.m.voltage: is missing: a motor needs voltage, current or torque");
  EXPECT_EQ(motor("on: turn, voltage: 1, resistance: 1"),
            "drives.m: 'torque_constant' is missing (or give a datasheet)");
  EXPECT_EQ(motor("on: roll, voltage: 1, " + needed),
            "drives.m.radius: is missing: how far the coordinate moves per radian of the gear's output");
  EXPECT_EQ(motor("on: turm, voltage: 1, " + needed), "drives.m.on: unknown coordinate 'turm' (did you mean 'turn'?)");
}

TEST(DriveErrors, SayWhatDoesNotFit) {
  EXPECT_EQ(motor("on: turn, voltage: 1, current: 1, " + needed),
            "drives.m.voltage: give one of voltage, current and torque");
  EXPECT_EQ(motor("on: turn, radius: 1, voltage: 1, " + needed),
            "drives.m.radius: belongs to a length; this coordinate is an angle");
  EXPECT_EQ(motor("on: turn, gear_ratio: 0, voltage: 1, " + needed), "drives.m: the gear ratio is zero");
  EXPECT_EQ(motor("on: turn, voltage: 3 A, " + needed), "drives.m.voltage: expected V, but '3 A' is A");
  EXPECT_EQ(motor("on: turn, voltage: 1, inductance: 1 mH, limits: {speed: 3}, " + needed),
            "drives.m: a speed limit needs a motor without inductance: through an inductance the current cannot change "
            "at once, so no voltage holds the speed; use a controller that measures the speed");
  EXPECT_EQ(motor("on: turn, voltage: 1, inductance: 0, " + needed + "}}\nstart: {keep: {m.current: 1"),
            "start.m.current: 'm.current' has no initial value without inductance: it follows the voltage at once");
  EXPECT_EQ(motor("on: turn, voltage: 1, rotor: {carried_by: disk, axis: z}, " + needed),
            "drives.m.rotor.carried_by: there is no body 'disk' (did you mean 'disc'?)");
}

TEST(ControllerErrors, SayWhatDoesNotFit) {
  EXPECT_EQ(message("controllers: {c: {type: pd, measure: turn, target: 1, ki: 2}}\n"),
            "controllers.c.ki: a pd controller has no integral; write type: pid");
  EXPECT_EQ(message("controllers: {c: {type: computed_torque, on: [turn, roll], target: [1]}}\n"),
            "controllers.c: the list of targets must be as long as the list of coordinates");
}

// The message names the file and the line.
TEST(ControllerErrors, SayWhereAnEffortDoesNotActInFull) {
  try {
    prepared(read_model_text(
        "armature: 1\ngravity: [0, 0, 0]\nbodies: {disc: {mass: 1, inertia: {zz: 0.02, xx: 1, yy: 1}}}\n"
        "joints: {turn: {type: revolute, axis: z, between: [ground, disc]}}\n"
        "controllers:\n  c: {type: computed_torque, on: [turn], target: [1], kp: 1}\n"
        "forces: {push: {type: effort, on: turn, is: 2*c.turn}}\n",
        "disc.yaml"));
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("disc.yaml:6: controllers.c: ")) << error.what();
  }
}

// A motor whose two needed differ makes energy from nothing.
TEST(DriveWarnings, OfMotorsThatMakeEnergyFromNothing) {
  const Prepared crane = prepared(shipped("crane"));
  ASSERT_EQ(crane.system->equations().warnings.size(), 1u);
  EXPECT_EQ(crane.system->equations().warnings[0],
            "motor: the torque constant 1 N m/A and the back-EMF constant 0.1 V s differ, so 0.9 of every joule "
            "at the shaft "
            "comes from nothing; the channel work.mismatch counts it");
  EXPECT_TRUE(prepared(shipped("two_joint_arm")).system->equations().warnings.empty());
}

}  // namespace
}  // namespace armature::internal
