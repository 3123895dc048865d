// Contacts by a gap, what they record of a pin in its hole, and what is said of keys that do not go together.
#include <gtest/gtest.h>

#include <cmath>

#include "force/two_bodies.hpp"

namespace armature::internal {
namespace {

// A wall at a = 0.1 that moves on with 0.5 m/s; the block is 0.05 m inside and comes nearer by 1.5 m/s.
TEST(Contact, WithAMovingGapIsPaidByWhatMovesIt) {
  const Moment now = slides("type: contact, gap: a - 0.1 - 0.5*t, stiffness: 1000, damping: 10", 0.05, 0, -1, 0);
  EXPECT_NEAR(now["f.gap"], -0.05, 1e-14);
  EXPECT_NEAR(now["f.penetration"], 0.05, 1e-14);
  EXPECT_NEAR(now["f.force"], 50 + 15, 1e-12);
  EXPECT_NEAR(now["a''"], 65 / 2.0, 1e-12);
  EXPECT_NEAR(now["work.applied'"], 65 * 0.5, 1e-12);
  EXPECT_NEAR(now["heat.viscous'"], 10 * 1.5 * 1.5, 1e-12);
}

TEST(Contact, DoesNothingWhereItIsOpen) {
  const Moment now = slides("type: contact, gap: a - 0.1 - 0.5*t, stiffness: 1000, damping: 10", 0.2, 0, -1, 0);
  EXPECT_NEAR(now["f.gap"], 0.1, 1e-14);
  EXPECT_EQ(now["f.force"], 0);
  EXPECT_EQ(now["f.penetration"], 0);
  EXPECT_EQ(now["energy.elastic"], 0);
}

// A pin of 0.1 m, 0.05 m beside the center of a hole of 0.2 m: its gap is 0.05 m. Either may be named first.
TEST(Contact, RecordsHowFarAPinIsFromTheCenterOfItsHole) {
  const std::string hole = "{circle: ground, radius: 0.2, free: inside}", pin = "{circle: plate, radius: 0.1}";
  for (const std::string& pair : {hole + ", " + pin, pin + ", " + hole}) {
    const Moment now = moment_of(
        "gravity: [0, 0, 0]\nplane: xy\nbodies: {plate: {mass: 2, inertia: {zz: 1}}}\n"
        "joints: {p: {type: planar, between: [ground, plate]}}\nforces: {f: {type: contact, stiffness: 1e3, between: "
        "[" +
        pair + "]}}\nstart: {keep: {p.x: 0.03, p.y: 0.04, p.angle: 0}}\n");
    EXPECT_NEAR(now["f.gap"], 0.05, 1e-14);
    EXPECT_NEAR(now["f.eccentricity"], 0.05, 1e-14);
  }
}

// The same of a ball of 0.1 m in a round hollow, 0.05 m beside its center.
TEST(Contact, RecordsHowFarABallIsFromTheCenterOfItsHollow) {
  const Moment now = moment_of(
      "gravity: [0, 0, 0]\nbodies: {ball: {mass: 2, inertia: {xx: 1, yy: 1, zz: 1}}}\n"
      "joints: {p: {type: free, between: [ground, ball]}}\nforces: {f: {type: contact, stiffness: 1e3, between: "
      "[{sphere: ball, radius: 0.1}, {sphere: ground, radius: 0.2, free: inside}]}}\nstart: {keep: {ball: [0.03, 0, "
      "0.04]}}\n");
  EXPECT_NEAR(now["f.gap"], 0.05, 1e-14);
  EXPECT_NEAR(now["f.eccentricity"], 0.05, 1e-14);
}

TEST(Contact, SaysWhichKeysDoNotGoTogether) {
  const auto said_of = [](const std::string& keys) {
    return refusal(slides, "type: contact, stiffness: 1e3, " + keys);
  };
  const std::string surfaces = "between: [first, {plane: ground, normal: x}]";
  EXPECT_EQ(said_of("gap: a"), "");
  EXPECT_EQ(said_of("damping: 1"), "forces.f.between: is missing: two surfaces, or a formula for the gap");
  EXPECT_EQ(said_of("gap: a, " + surfaces), "forces.f.between: gives the gap; leave one of the two out");
  EXPECT_EQ(said_of("gap: a, friction: 0.1"),
            "forces.f.friction: needs surfaces that slide: give between in place of gap");
  EXPECT_EQ(refusal(slides, "type: contact, gap: a, hertz: {youngs_modulus: 1e9}"),
            "forces.f.hertz: needs the radii of surfaces: give between in place of gap");
  EXPECT_EQ(refusal(slides, "type: contact, restitution: 0.5, friction: 0.1, sliding: a', " + surfaces),
            "forces.f.sliding: follows from the surfaces; it belongs to a gap");
}

}  // namespace
}  // namespace armature::internal
