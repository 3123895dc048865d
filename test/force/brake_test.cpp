// Brakes on a wheel of 0.5 kg m^2 and a block of 2 kg; the band brake by the formula of Euler and Eytelwein.
#include <gtest/gtest.h>

#include <cmath>

#include "force/two_bodies.hpp"

namespace armature::internal {
namespace {

TEST(Brake, ActsAgainstTheMotionEitherWay) {
  for (const double direction : {1.0, -1.0}) {
    const Moment now = wheels("type: brake, on: a, torque: 3", 0, 0, 4 * direction, 0);
    EXPECT_NEAR(now["f.torque"], -3 * direction, 1e-14);
    EXPECT_NEAR(now["a''"], -6 * direction, 1e-14);
    EXPECT_NEAR(now["heat.friction'"], 12, 1e-14);
  }
}

TEST(Brake, OfABandTightensForwardsAndLoosensBackwards) {
  const std::string band = "type: brake, on: a, band: {force: 100, radius: 0.1, friction: 0.3, wrap: 2}";
  const double forwards = 10 * (std::exp(0.6) - 1), backwards = 10 * (1 - std::exp(-0.6));
  EXPECT_NEAR(wheels(band, 0, 0, 1, 0)["f.torque"], -forwards, 1e-12);
  EXPECT_NEAR(wheels(band, 0, 0, 1, 0)["a''"], -forwards / 0.5, 1e-12);
  EXPECT_NEAR(wheels(band, 0, 0, -1, 0)["f.torque"], backwards, 1e-12);
  EXPECT_NEAR(wheels(band, 0, 0, -2, 0)["heat.friction'"], 2 * backwards, 1e-12);
}

TEST(Brake, OfARopeAroundAPostActsOnALength) {
  const std::string rope = "type: brake, on: a, band: {force: 100, friction: 0.3, wrap: 2}";
  EXPECT_NEAR(slides(rope, 0, 0, 1, 0)["f.force"], -100 * (std::exp(0.6) - 1), 1e-11);
  EXPECT_NEAR(slides(rope, 0, 0, -1, 0)["a''"], 100 * (1 - std::exp(-0.6)) / 2, 1e-11);
}

TEST(Brake, SaysWhatIsMissingAndWhatIsTooMuch) {
  const std::string on = "type: brake, on: a", band = ", band: {force: 1, friction: 0.3, wrap: 2",
                    radius = ", radius: 0.1";
  EXPECT_EQ(refusal(wheels, on),
            "forces.f.torque: is missing: give a torque, or a band {force, radius, friction, wrap}");
  EXPECT_EQ(refusal(wheels, on + ", torque: 1" + band + radius + "}"),
            "forces.f.band: cannot be combined with 'torque'; give one of them");
  EXPECT_EQ(refusal(wheels, on + band + "}"), "forces.f.band.radius: is missing: the radius of the drum");
  EXPECT_EQ(refusal(slides, on + band + radius + "}"),
            "forces.f.band.radius: belongs to an angle; this coordinate is a length");
  EXPECT_EQ(refusal(slides, on + band + "}"), "");
}

}  // namespace
}  // namespace armature::internal
