#include "drive/drives.hpp"

#include <gtest/gtest.h>

#include "drive/other_drives.hpp"
#include "support/moment.hpp"

namespace armature::internal {
namespace {

// The first motor is told the current of the second, which is added later.
TEST(Drives, MayNameSignalsOfThoseThatFollow) {
  const Moment now = moment_of(
      "gravity: [0, 0, 0]\nplane: xy\nbodies: {disc: {mass: 1, inertia: {zz: 0.02}}, other: {mass: 1, inertia: {zz: "
      "0.04}}}\n"
      "joints: {turn: {type: revolute, between: [ground, disc]}, next: {type: revolute, between: [ground, other]}}\n"
      "drives:\n  first: {type: dc_motor, on: turn, torque_constant: 0.5, resistance: 1, current: -2*second.current}\n"
      "  second: {type: dc_motor, on: next, torque_constant: 0.5, resistance: 1, current: 3}\n");
  EXPECT_NEAR(now["first.current"], -6, 1e-14);
  EXPECT_NEAR(now["turn''"], -0.5 * 6 / 0.02, 1e-11);
  EXPECT_NEAR(now["next''"], 0.5 * 3 / 0.04, 1e-11);
}

TEST(Drives, AreNamedInWhatIsSaidOfThem) {
  try {
    prepared_text(driven_disc("type: dc_motor, gear_ratio: 0, torque_constant: 0.5, resistance: 1, current: 3", ""));
    FAIL() << "a gear ratio of zero was accepted";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics().at(0).key, "drives.m");
    EXPECT_EQ(error.diagnostics()[0].message, "the gear ratio is zero");
  }
}

}  // namespace
}  // namespace armature::internal
