// Friction of a joint by the force that presses its surfaces together, at one moment.
#include <gtest/gtest.h>

#include <cmath>

#include "support/moment.hpp"

namespace armature::internal {
namespace {

// A block of 2 kg on a level guide along x, under 10 m/s^2; a force of 6 N along x acts 0.3 m above the guide.
Moment rubbing_block(const std::string& friction, double rate) {
  return moment_of(
      "gravity: [0, 0, -10]\nplane: xz\nbodies: {block: {mass: 2, inertia: {yy: 1}, points: {top: [0, 0, 0.3]}}}\n"
      "joints: {x: {type: prismatic, axis: x, between: [ground, block]}}\n"
      "forces: {pull: {type: force, on: block.top, is: [6, 0, 0]}, f: {type: friction, on: x, coefficient: 0.2" +
      friction + "}}\nstart: {speed: {x: " + std::to_string(rate) + "}}\n");
}

TEST(Friction, OfAGuideIsThatOfItsWeightEitherWay) {
  for (const double way : {1.0, -1.0}) {
    const Moment now = rubbing_block("", 0.5 * way);
    EXPECT_NEAR(now["f.load"], 20, 1e-12);
    EXPECT_NEAR(now["f.force"], -4 * way, 1e-12);
    EXPECT_NEAR(now["x''"], (6 - 4 * way) / 2, 1e-12);
    EXPECT_NEAR(now["heat.friction'"], 2, 1e-12);
  }
}

// Two pads 0.1 m apart carry the moment of 1.8 N m with 18 N each, one up and one down: |10 + 18| + |10 - 18|.
TEST(Friction, OfAGuideWithTwoPadsGrowsWithItsMoment) {
  EXPECT_NEAR(rubbing_block(", length: 0.1", 0.5)["f.load"], 36, 1e-12);
  EXPECT_NEAR(rubbing_block(", length: 0.1", 0.5)["x''"], (6 - 7.2) / 2, 1e-12);
  EXPECT_NEAR(rubbing_block(", length: 1", 0.5)["f.load"], 20, 1e-12);  // 10 + 1.8 and 10 - 1.8: no pad is lifted
}

// mu(s') = mu + (mu_s - mu) exp(-(s'/v)^2).
TEST(Friction, FallsWithTheSlidingSpeed) {
  const double mu = 0.2 + 0.3 * std::exp(-std::pow(0.5 / 0.4, 2));
  EXPECT_NEAR(rubbing_block(", stribeck: {static: 0.5, speed: 0.4}", 0.5)["f.force"], -20 * mu, 1e-12);
}

// Bristles that are not bent yet pass what their damping does, and begin to bend with the sliding.
TEST(Friction, OfBristlesBeginsWithTheirDamping) {
  const Moment now = rubbing_block(", lugre: {deflection: 1 mm, damping: 0.3}", 0.5);
  EXPECT_NEAR(now["f.deflection'"], 0.5, 1e-12);
  EXPECT_NEAR(now["f.force"], -20 * 0.3 * 0.5, 1e-12);
}

// In steady sliding they are bent by the deflection at which they slip, and friction is mu N.
TEST(Friction, OfBristlesBecomesThatOfSliding) {
  for (const char* speed : {"0.5", "-0.5"}) {
    const Simulation run = simulated_text(
        std::string("gravity: [0, 0, -10]\nplane: xz\nbodies: {block: {mass: 2}}\njoints: {x: {type: prismatic, axis: "
                    "x, between: [ground, block]}}\n"
                    "constraints: {hold: {type: prescribed, zero: \"x - ") +
        speed +
        "*t\"}}\n"
        "forces: {f: {type: friction, on: x, coefficient: 0.2, lugre: {deflection: 1 mm}}}\nstart: {speed: {x: " +
        speed + "}}\nsimulate: {end: 0.05, rtol: 1e-10}\n");
    const double way = speed[0] == '-' ? -1 : 1;
    EXPECT_NEAR(run.last("f.deflection"), 1e-3 * way, 1e-9);
    EXPECT_NEAR(run.last("f.force"), -4 * way, 1e-6);
  }
}

// A wheel of 2 kg and 0.5 kg m^2 on a pin of 0.05 m: the torque 0.05 mu N, N its weight.
Moment wheel_on_a_pin(const std::string& gravity, const std::string& friction, double rate) {
  return moment_of("gravity: " + gravity +
                   "\nbodies: {wheel: {mass: 2, inertia: {xx: 1, yy: 0.5, zz: 1}}}\n"
                   "joints: {x: {type: revolute, axis: y, between: [ground, wheel]}}\n"
                   "forces: {f: {type: friction, on: x, coefficient: 0.2, radius: 0.05" +
                   friction + "}}\nstart: {speed: {x: " + std::to_string(rate) + "}}\n");
}

TEST(Friction, OfABearingActsAtTheRadiusOfItsPin) {
  for (const double way : {1.0, -1.0}) {
    const Moment now = wheel_on_a_pin("[0, 0, -10]", "", 3 * way);
    EXPECT_NEAR(now["f.load"], 20, 1e-12);
    EXPECT_NEAR(now["f.torque"], -0.2 * way, 1e-12);
    EXPECT_NEAR(now["x''"], -0.4 * way, 1e-12);
    EXPECT_NEAR(now["heat.friction'"], 0.6, 1e-12);
  }
}

// A shoulder of 0.2 m carries 30 N along the axis: N = 20 + (0.2/0.05) 30.
TEST(Friction, OfAShoulderAddsTheForceAlongTheAxis) {
  for (const char* gravity : {"[0, 15, -10]", "[0, -15, -10]"})
    EXPECT_NEAR(wheel_on_a_pin(gravity, ", collar: 0.2", 3)["f.load"], 140, 1e-11);
  EXPECT_NEAR(wheel_on_a_pin("[0, 15, -10]", "", 3)["f.load"], 20, 1e-12);
}

// A nut of 2 kg on an upright screw that turns evenly needs the torque of the textbook, up and down: lead angle l, mu' = mu/cos(p).
TEST(Friction, OfAThreadNeedsTheTorqueOfTheTextbook) {
  const double rise = 0.005 / (2 * M_PI * 0.01), mu = 0.2 / std::cos(M_PI / 12);
  for (const double way : {1.0, -1.0}) {
    const Moment now = moment_of(
        "gravity: [0, 0, -10]\nbodies: {nut: {mass: 2, inertia: {xx: 1, yy: 1, zz: 1}}}\n"
        "joints: {x: {type: screw, axis: z, pitch: 0.005, between: [ground, nut]}}\n"
        "constraints: {turn: {type: prescribed, zero: \"x - " +
        std::to_string(6 * way) +
        "*t\"}}\n"
        "forces: {f: {type: friction, on: x, coefficient: 0.2, radius: 0.01, flank_angle: 15 deg}}\nstart: {speed: "
        "{x: " +
        std::to_string(6 * way) + "}}\n");
    EXPECT_NEAR(now["turn"], 20 * 0.01 * (rise + way * mu) / (1 - way * mu * rise), 1e-10);
  }
}

TEST(Friction, SaysWhichKeysBelongToWhichJoint) {
  const auto said_of = [](bool turns, const std::string& keys) -> std::string {
    try {
      turns ? wheel_on_a_pin("[0, 0, -10]", keys, 1) : rubbing_block(keys, 1);
    } catch (const ModelError& error) {
      return error.diagnostics().at(0).key + ": " + error.diagnostics()[0].message;
    }
    return "";
  };
  EXPECT_EQ(said_of(false, ", radius: 0.1"), "forces.f.radius: belongs to an angle; this coordinate is a length");
  EXPECT_EQ(said_of(false, ", collar: 0.1"), "forces.f.collar: belongs to a revolute joint");
  EXPECT_EQ(said_of(true, ", flank_angle: 0.1"), "forces.f.flank_angle: belongs to the thread of a screw joint");
  EXPECT_EQ(said_of(true, ", lugre: {deflection: 1e-4}, breakaway: 1.5"),
            "forces.f.breakaway: has no meaning for bristles; give stribeck a static coefficient");
  EXPECT_EQ(said_of(true, ", stribeck: {static: 0.3, speed: 0.1}, breakaway: 1.5"),
            "forces.f.breakaway: cannot be combined with the static coefficient of stribeck");
}

}  // namespace
}  // namespace armature::internal
