// Worm and screw by the equations of the developed thread: a force N cos(p) along the flank's normal and friction along the flank.
#include <gtest/gtest.h>

#include <cmath>

#include "force/two_bodies.hpp"

namespace armature::internal {
namespace {

struct ThreadForces {
  double normal, on_a, on_b;  // on_a: torque; on_b: along y
};

// r a, y: motions of the worm's surface and of the tooth; their rates. k = 1e4, c = 20, mu = 0.1, r = 0.02.
ThreadForces thread_forces(double lead, double flank, double ra, double y, double ra_rate, double y_rate) {
  const double s = std::sin(lead), c = std::cos(lead);
  const double N = 1e4 * std::cos(flank) * (s * ra - c * y) + 20 * std::cos(flank) * (s * ra_rate - c * y_rate);
  const double drag = 0.1 * std::abs(N) * (c * ra_rate + s * y_rate > 0 ? 1 : -1);
  return {N, -0.02 * (N * std::cos(flank) * s + drag * c), N * std::cos(flank) * c - drag * s};
}
const std::string flanks = "radius: 0.02, friction: 0.1, stiffness: 1e4, damping: 20";

TEST(Thread, OfAWormActsOnBothAngles) {
  const double lead = 0.3, along = 0.02 * std::tan(lead) * 12;  // y = along b
  for (const double way : {1.0, -1.0})
    for (const double b : {0.02, -0.03}) {
      const Moment now =
          wheels("type: worm, between: [a, b], ratio: 12, lead_angle: 0.3, " + flanks, 0.1, b, 2 * way, 0.05);
      const ThreadForces is = thread_forces(lead, M_PI / 9, 0.02 * 0.1, along * b, 0.02 * 2 * way, along * 0.05);
      EXPECT_NEAR(now["f.normal"], is.normal, 1e-10);
      EXPECT_NEAR(now["a''"], is.on_a / 0.5, 1e-10);
      EXPECT_NEAR(now["b''"], along * is.on_b / 2, 1e-10);
    }
}

TEST(Thread, OfAScrewActsOnAnAngleAndALength) {
  const double lead = std::atan(0.03 / (2 * M_PI * 0.02));
  for (const double way : {1.0, -1.0}) {
    const Moment now = moment_of(
        "gravity: [0, 0, 0]\nbodies: {first: {mass: 1, inertia: {xx: 0.5}}, second: {mass: 3}}\n"
        "joints:\n  a: {type: revolute, axis: x, between: [ground, first]}\n"
        "  b: {type: prismatic, axis: x, between: [ground, second]}\n"
        "forces: {f: {type: power_screw, between: [a, b], lead: 0.03, flank_angle: 15 deg, " +
        flanks + fmt::format("}}}}\nstart: {{keep: {{a: 0.1, b: 0.001}}, speed: {{a: {}, b: 0.002}}}}\n", 2 * way));
    const ThreadForces is = thread_forces(lead, M_PI / 12, 0.002, 0.001, 0.04 * way, 0.002);
    EXPECT_NEAR(now["f.normal"], is.normal, 1e-10);
    EXPECT_NEAR(now["a''"], is.on_a / 0.5, 1e-10);
    EXPECT_NEAR(now["b''"], is.on_b / 3, 1e-10);
  }
}

TEST(Thread, RefusesAnglesAndPairsThatNoThreadHas) {
  const std::string worm = "type: worm, between: [a, b], " + flanks;
  EXPECT_EQ(refusal(wheels, worm + ", ratio: 12, lead_angle: 80 deg, pressure_angle: 80 deg"), "");
  EXPECT_EQ(refusal(wheels, worm + ", ratio: 12, lead_angle: 90 deg"), "forces.f: lead_angle is less than 90 deg");
  EXPECT_EQ(refusal(wheels, worm + ", ratio: 12, lead_angle: 0.3, pressure_angle: 90 deg"),
            "forces.f: pressure_angle is less than 90 deg");
  EXPECT_EQ(refusal(wheels, worm + ", ratio: 0, lead_angle: 0.3"), "forces.f: a ratio is not zero");
  EXPECT_EQ(refusal(wheels, "type: power_screw, between: [a, b], lead: 0.01, " + flanks),
            "forces.f.between: a power screw couples an angle with a length: [angle, slide]");
  EXPECT_EQ(refusal(slides, worm + ", ratio: 12, lead_angle: 0.3"),
            "forces.f.between: a worm couples two angles: [worm, wheel]");
}

}  // namespace
}  // namespace armature::internal
