// What elements between two coordinates share: s = a - ratio b, the names and units of what they record, and stiction.
#include <gtest/gtest.h>

#include "force/two_bodies.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

TEST(BetweenCoordinates, RecordForcesOfLengthsAndTorquesOfAngles) {
  const std::string spring = "type: coordinate_spring, between: [a, b], stiffness: 10";
  EXPECT_NEAR(slides(spring, 0.3, 0.1, 0, 0)["f.force"], -2, 1e-14);
  EXPECT_NEAR(wheels(spring, 0.3, 0.1, 0, 0)["f.torque"], -2, 1e-14);
  EXPECT_FALSE(slides(spring, 0.3, 0.1, 0, 0).has("f.torque"));
}

TEST(BetweenCoordinates, TakeNoRatioOfZero) {
  EXPECT_EQ(refusal(wheels, "type: clutch, between: [a, b], torque: 1, ratio: -2"), "");
  EXPECT_EQ(refusal(wheels, "type: clutch, between: [a, b], torque: 1, ratio: 0"), "forces.f: a ratio is not zero");
}

// The unit of a stiffness is that of a length or of an angle, as the first coordinate is one.
TEST(BetweenCoordinates, ReadUnitsOfTheirCoordinate) {
  EXPECT_EQ(refusal(slides, "type: coordinate_spring, between: [a, b], stiffness: 1 N/m"), "");
  EXPECT_EQ(refusal(wheels, "type: coordinate_spring, between: [a, b], stiffness: 1 N*m"), "");
  EXPECT_THAT(refusal(slides, "type: coordinate_spring, between: [a, b], stiffness: 1 N*m"), HasSubstr("expected N/m"));
  EXPECT_EQ(refusal(slides, "type: brake, on: a, torque: 1 N"), "");
  EXPECT_EQ(refusal(wheels, "type: brake, on: a, torque: 1 N*m"), "");
  EXPECT_THAT(refusal(wheels, "type: brake, on: a, torque: 1 N"), HasSubstr("expected N"));
}

// The push grows by 1 N a second: it breaks away at 1.5 times the kinetic friction of 2 N.
TEST(BetweenCoordinates, StickUpToTheBreakaway) {
  const Simulation run = simulated_text(
      "gravity: [0, 0, 0]\nbodies: {first: {mass: 2}}\njoints: {a: {type: prismatic, axis: x, between: [ground, "
      "first]}}\n"
      "forces: {f: {type: brake, on: a, torque: 2, breakaway: 1.5}, push: {type: effort, on: a, is: -t}}\n"
      "simulate: {end: 4, rtol: 1e-10}\n");
  ASSERT_EQ(run.outcome.events.size(), 1u);
  EXPECT_NEAR(run.outcome.events[0].t, 3, 1e-9);
  EXPECT_NEAR(run.last("a'"), -(0.5 * 1 + 0.25), 1e-9);  // 2 a'' = -(t - 2)
}

}  // namespace
}  // namespace armature::internal
