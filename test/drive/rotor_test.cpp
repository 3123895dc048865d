// A rotor on the ground adds its reflected inertia and friction; one that a body carries turns with this body as well.
#include "drive/rotor.hpp"

#include <gtest/gtest.h>

#include "drive/dc_disc.hpp"

namespace armature::internal {
namespace {

// 1e-3 kg m^2 behind a ratio of -4; at 3 rad/s of the disc the shaft turns with -12 rad/s. 0.01 N m s of viscous friction, 0.02 N m of dry one.
TEST(Rotor, AddsItsReflectedInertiaAndItsFriction) {
  using namespace dc_letters;
  for (const double way : {1.0, -1.0}) {
    const Moment now = moment_of(dc_disc(dc_constants + "coulomb_friction: 0.02, current: 0",
                                         "start: {speed: {turn: " + std::to_string(3 * way) + "}}\n"));
    EXPECT_NEAR(now["turn''"], -(16 * 0.01 * 3 + 4 * 0.02) * way / J, 1e-12);
    EXPECT_NEAR(now["heat.viscous'"], 0.01 * 144, 1e-12);
    EXPECT_NEAR(now["heat.friction'"], 0.02 * 12, 1e-12);
    EXPECT_NEAR(now["energy.kinetic"], 0.5 * J * 9, 1e-12);
  }
}

TEST(Rotor, SticksByItsDryFriction) {
  const Simulation run =
      simulated_text(dc_disc(dc_constants + "coulomb_friction: 0.6, voltage: 2"));  // 0.5 N m at the shaft
  for (double w : run.column("turn'")) ASSERT_NEAR(w, 0, 1e-12);
}

// The arm (1 kg m^2, turning about z with 2 rad/s) carries a rotor of 0.1 kg m^2 that spins about z against it with 5 rad/s, driving a wheel on
// the arm: both angular momenta about z add up.
TEST(Rotor, OfACarryingBodyTurnsWithIt) {
  const Moment now = moment_of(R"(
gravity: [0, 0, 0]
plane: xy
bodies: {arm: {mass: 1, inertia: {zz: 1}}, wheel: {mass: 1, inertia: {zz: 0.4}}}
joints: {a: {type: revolute, between: [ground, arm]}, b: {type: revolute, between: [arm, wheel]}}
drives: {m: {type: dc_motor, on: b, torque_constant: 1, resistance: 1, current: 3, rotor_inertia: 0.1, gear_ratio: 2.5,
             rotor: {carried_by: arm, axis: z}}}
start: {speed: {a: 2, b: 2}}
)");
  // T = (1 a'^2 + 0.4 (a' + b')^2 + 0.1 (a' + 2.5 b')^2)/2; the motor gives 2.5 * 3 to b
  EXPECT_NEAR(now["energy.kinetic"], 0.5 * (4 + 0.4 * 16 + 0.1 * 49), 1e-12);
  const double aa = 1 + 0.4 + 0.1, ab = 0.4 + 0.25, bb = 0.4 + 0.625, det = aa * bb - ab * ab;
  EXPECT_NEAR(now["a''"], -ab * 7.5 / det, 1e-12);
  EXPECT_NEAR(now["b''"], aa * 7.5 / det, 1e-12);
}

// The spin h = 0.1 * 50 kg m^2/s along the arm's x axis, while the arm turns about z with 2 rad/s: its moment -w x h lies along -y and tips
// the frame that holds the arm.
TEST(Rotor, OfACarryingBodyIsAGyroscope) {
  const auto tipping = [](const std::string& axis) {
    return moment_of(R"(
gravity: [0, 0, 0]
bodies:
  frame: {mass: 1, inertia: {xx: 2, yy: 3, zz: 2}}
  arm: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  wheel: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  tip: {type: revolute, axis: y, between: [ground, frame]}
  a: {type: revolute, axis: z, between: [frame, arm]}
  b: {type: revolute, axis: x, between: [arm, wheel]}
drives: {m: {type: dc_motor, on: b, torque_constant: 1, resistance: 1, current: 0, rotor_inertia: 0.1, gear_ratio: 5,
             rotor: {carried_by: arm, axis: )" +
                     axis + R"(}}}
start: {speed: {tip: 0, a: 2, b: 10}}
)")["tip''"];
  };
  // about y: 3 + 1 + 1 kg m^2; the wheel's own spin of 10 kg m^2/s turns with the arm as well
  EXPECT_NEAR(tipping("x"), -(10 + 0.1 * 50) * 2 / 5, 1e-11);
  EXPECT_NEAR(tipping("[-3, 0, 0]"), -(10 - 0.1 * 50) * 2 / 5, 1e-11);
}

TEST(Rotor, NamesABodyThatDoesNotExist) {
  try {
    prepared_text(dc_disc(dc_constants + "current: 0, rotor: {carried_by: disk, axis: z}", ""));
    FAIL() << "an unknown body was accepted";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics().at(0).message, "there is no body 'disk' (did you mean 'disc'?)");
  }
}

}  // namespace
}  // namespace armature::internal
