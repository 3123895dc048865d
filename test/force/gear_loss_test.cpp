// A rotor of 0.5 kg m^2 and a drum of 2 kg m^2 on a gear of a = 4 b, with losses on the rotor's side. With the effort S that the rotor puts
// into the mesh,
//
//   from the rotor:  0.5 a'' = T_a - S/n,   2 b'' = T_b + 4 S        to the rotor:  0.5 a'' = T_a - n_b S,   2 b'' = T_b + 4 S
#include <gtest/gtest.h>

#include "force/two_bodies.hpp"

namespace armature::internal {
namespace {

Moment lossy_gear(double direction, double on_a, double on_b, const std::string& more) {
  return moment_of(
      "gravity: [0, 0, 0]\n" + two_wheels +
      fmt::format("constraints: {{mesh: {{type: gear, between: [a, b], ratio: 4}}}}\nforces:\n"
                  "  push: {{type: effort, on: a, is: {}}}\n  load: {{type: effort, on: b, is: {}}}\n"
                  "  f: {{type: gear_loss, of: mesh, on: a, efficiency: 0.8{}}}\nstart: {{speed: {{a: {}}}}}\n",
                  on_a, on_b, more, direction));
}

void expect_gear(double direction, double on_a, double on_b, double share,
                 const std::string& more = ", backwards: 0.5") {
  const Moment now = lossy_gear(direction, on_a, on_b, more);
  const double b = (on_b + 4 * share * on_a) / (2 + 0.5 * 16 * share), S = (2 * b - on_b) / 4;
  EXPECT_NEAR(now["b''"], b, 1e-11);
  EXPECT_NEAR(now["a''"], 4 * b, 1e-11);
  EXPECT_NEAR(now["f.torque"], S - S / share, 1e-11);
  EXPECT_NEAR(now["heat.friction'"], (S / share - S) * direction, 1e-11);
  EXPECT_GT(now["heat.friction'"], 0);
}

TEST(GearLoss, TakesItsShareOfThePowerFromTheRotor) {
  expect_gear(1, 6, 0, 0.8);
  expect_gear(-1, -6, 0, 0.8);
}

TEST(GearLoss, TakesAnotherShareOfThePowerToTheRotor) {
  expect_gear(1, 0, 10, 1 / 0.5);
  expect_gear(-1, 0, -10, 1 / 0.5);
  expect_gear(1, -6, 0, 1 / 0.5);  // the rotor brakes the drum
}

TEST(GearLoss, HasOneEfficiencyWhereNoOtherIsGiven) {
  expect_gear(1, 6, 0, 0.8, "");
  expect_gear(1, 0, 10, 1 / 0.8, "");
}

TEST(GearLoss, SaysWhatItCannotBeOf) {
  const auto with = [](const std::string& loss) {
    return refusal(
        [](const std::string& force, double, double, double, double) {
          moment_of("gravity: [0, 0, 0]\n" + two_wheels +
                    "constraints: {mesh: {type: gear, between: [a, b], ratio: 4}}\nforces: {f: {" + force + "}}\n");
        },
        loss);
  };
  EXPECT_EQ(with("type: gear_loss, of: mesh, on: a, efficiency: 1"), "");
  EXPECT_EQ(with("type: gear_loss, of: mash, on: a, efficiency: 1"), "forces.f.of: unknown constraint 'mash'");
  EXPECT_EQ(with("type: gear_loss, of: mesh, on: a, efficiency: 1.1"), "forces.f: an efficiency is 1 at most");
}

}  // namespace
}  // namespace armature::internal
