// The mechanical side of drives with a shaft, on a servo: its torque is that of its curve wherever it is not limited.
#include "drive/shaft.hpp"

#include <gtest/gtest.h>

#include "drive/other_drives.hpp"
#include "support/moment.hpp"

namespace armature::internal {
namespace {

Moment turned_servo(const std::string& more, const std::string& start) {
  return moment_of(
      driven_disc("type: servo, peak: {speed: [0, 1000], torque: [50, 50]}, rotor_inertia: 1e-3, "
                  "viscous_friction: 0.01, " +
                      more,
                  "start: {" + start + "}\n"));
}

// 6 N m on the disc are -2 N m at a shaft that turns -3 times as fast: with -12 rad/s, its friction takes -0.12 N m.
TEST(Shaft, RecordsTheTorqueBeforeItsFriction) {
  const Moment now = turned_servo("gear_ratio: -3, torque: 6", "speed: {turn: 4}");
  EXPECT_NEAR(now["m.torque"], 6, 1e-13);
  EXPECT_NEAR(now["m.speed"], -12, 1e-13);
  EXPECT_FALSE(now.has("m.gear_torque"));
  EXPECT_NEAR(now["turn''"], (6 - 9 * 0.01 * 4) / (0.02 + 9e-3), 1e-11);
}

TEST(Shaft, RecordsWhatALossyGearPasses) {
  const Moment driving = turned_servo("gear_ratio: -3, efficiency: 0.5, torque: 6", "speed: {turn: 4}"),
               braking = turned_servo("gear_ratio: -3, efficiency: 0.5, torque: -6", "speed: {turn: 4}");
  EXPECT_NEAR(driving["m.gear_torque"], 0.5 * (6 - 0.36), 1e-12);
  EXPECT_NEAR(braking["m.gear_torque"], (-6 - 0.36) / 0.5, 1e-12);
  EXPECT_NEAR(driving["turn''"], 0.5 * 5.64 / 0.029, 1e-10);
}

TEST(Shaft, TakesExactlyOneCommand) {
  const auto said_of = [](const std::string& command) -> std::string {
    try {
      read_model_text(
          "armature: 1\n" +
          driven_disc("type: pmsm, pole_pairs: 4, flux: 0.1, inductance: 2 mH, resistance: 1" + command, ""));
    } catch (const ModelError& error) {
      return error.diagnostics().at(0).key + ": " + error.diagnostics()[0].message;
    }
    return "";
  };
  EXPECT_EQ(said_of(", torque: 1"), "");
  EXPECT_EQ(said_of(""), "drives.m.voltage: is missing: give voltage, current or torque");
  EXPECT_EQ(said_of(", torque: 1, current: 2"), "drives.m.voltage: give only one: voltage, current or torque");
}

}  // namespace
}  // namespace armature::internal
