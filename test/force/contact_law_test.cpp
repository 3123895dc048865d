#include "force/contact_law.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "force/two_bodies.hpp"

namespace armature::internal {
namespace {

// 0.04 m inside a wall at a = 0, with a' = 3 m/s away from it or towards it.
Moment pressed(const std::string& law, double rate) {
  return slides("type: contact, gap: a, " + law, -0.04, 0, rate, 0);
}

TEST(ContactLaw, OfASpringAndADamper) {
  const Moment straight = pressed("stiffness: 1000, damping: 5", -3),
               power = pressed("stiffness: 1000, exponent: 1.5", -3);
  EXPECT_NEAR(straight["f.force"], 40 + 15, 1e-12);
  EXPECT_NEAR(straight["energy.elastic"], 500 * 0.0016, 1e-13);
  EXPECT_NEAR(straight["heat.viscous'"], 15 * 3, 1e-12);
  EXPECT_NEAR(power["f.force"], 1000 * std::pow(0.04, 1.5), 1e-12);
  EXPECT_NEAR(power["energy.elastic"], 1000 * std::pow(0.04, 2.5) / 2.5, 1e-12);
  EXPECT_NEAR(power["heat.viscous'"], 0, 1e-12);
}

// What is pulled apart faster than the spring follows is let go: 40 N - 5 N s/m times 9 m/s, and what was stored is lost.
TEST(ContactLaw, NeverPulls) {
  const Moment now = pressed("stiffness: 1000, damping: 5", 9);
  EXPECT_EQ(now["f.force"], 0);
  EXPECT_NEAR(now["heat.viscous'"], 40 * 9, 1e-12);
  EXPECT_EQ(pressed("law: hunt_crossley, stiffness: 1000, restitution: 0.5, impact_speed: 2", 9)["f.force"], 0);
}

// d = 3 (1 - e)/(2 v) and 3 (1 - e^2)/(4 v), at v = 2 m/s.
TEST(ContactLaw, OfImpactsLosesByTheRestitution) {
  const double spring = 1000 * std::pow(0.04, 1.5);
  const std::string rest = ", stiffness: 1000, restitution: 0.4, impact_speed: 2";
  const Moment hunt = pressed("law: hunt_crossley" + rest, -1),
               nikravesh = pressed("law: lankarani_nikravesh" + rest, -1);
  EXPECT_NEAR(hunt["f.force"], spring * (1 + 1.5 * 0.6 / 2), 1e-12);
  EXPECT_NEAR(nikravesh["f.force"], spring * (1 + 0.75 * 0.84 / 2), 1e-12);
  EXPECT_NEAR(hunt["heat.viscous'"], spring * 1.5 * 0.6 / 2, 1e-12);
  EXPECT_NEAR(hunt["energy.elastic"], 1000 * std::pow(0.04, 2.5) / 2.5, 1e-12);
  EXPECT_NEAR(pressed("law: hunt_crossley, stiffness: 1000, restitution: 1, impact_speed: 2", -1)["f.force"], spring,
              1e-12);
}

// Without an impact speed v is that of the touch, here 2 m/s, and is held until the block is off the wall.
TEST(ContactLaw, TakesTheSpeedOfEachTouch) {
  const Simulation run = simulated_text(
      with_states("bodies: {first: {mass: 2}, second: {mass: 3}}\njoints:\n"
                  "  a: {type: prismatic, axis: x, between: [ground, first]}\n  b: {type: prismatic, axis: x, between: "
                  "[ground, second]}\n",
                  "type: contact, gap: a, law: hunt_crossley, stiffness: 1e5, restitution: 0.4", 0.01, 0, -2, 0) +
      "simulate: {end: 0.02, record: 0.1 ms, rtol: 1e-10}\n");
  int inside = 0;
  const auto a = run.column("a"), rate = run.column("a'"), force = run.column("f.force");
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k] > -1e-6) continue;
    ASSERT_NEAR(force[k], 1e5 * std::pow(-a[k], 1.5) * (1 - 1.5 * 0.6 / 2 * rate[k]), 1e-6 * (1 + force[k]));
    ++inside;
  }
  EXPECT_GT(inside, 10);
}

// A ball of 0.1 m in a plane, 0.01 m inside: k = 4/3 E sqrt(R), 1/E = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b.
TEST(ContactLaw, OfHertzFollowsFromTheMaterials) {
  const auto ball = [](const std::string& hertz, const std::string& more = "{plane: ground, normal: x}") {
    return slides("type: contact, between: [{sphere: first, radius: 0.1}, " + more + "], hertz: {" + hertz + "}", 0.09,
                  0, 0, 0)["f.force"];
  };
  const double one = (1 - 0.09) / 1e6, other = (1 - 0.04) / 3e6, depth = std::pow(0.01, 1.5);
  EXPECT_NEAR(ball("youngs_modulus: 1e6"), 4 / (3 * (one + one)) * std::sqrt(0.1) * depth, 1e-9);
  EXPECT_NEAR(ball("youngs_modulus: 1e6, other_modulus: 3e6, other_ratio: 0.2"),
              4 / (3 * (one + other)) * std::sqrt(0.1) * depth, 1e-9);
  const double ratio = (1 - 0.16) / 1e6;
  EXPECT_NEAR(ball("youngs_modulus: 1e6, poisson_ratio: 0.4"), 4 / (3 * (ratio + ratio)) * std::sqrt(0.1) * depth,
              1e-9);
}

// A disc of 2 kg, 0.1 m and 0.01 kg m^2, 1 mm inside the floor and pressed with 100 N, which slides by x' + 0.0995 w
// at the point between both surfaces.
Moment sliding_disc(const std::string& friction, double x_rate, double spin) {
  return moment_of(
      "gravity: [0, 0, 0]\nplane: xy\nbodies: {disc: {mass: 2, inertia: {zz: 0.01}}}\n"
      "joints: {p: {type: planar, between: [ground, disc]}}\n"
      "forces: {f: {type: contact, between: [{circle: disc, radius: 0.1}, {plane: ground, normal: y}], stiffness: "
      "1e5, " +
      friction +
      fmt::format(
          "}}}}\nstart: {{keep: {{p.x: 0, p.y: 0.099, p.angle: 0}}, speed: {{p.x: {}, p.y: 0, p.angle: {}}}}}\n",
          x_rate, spin));
}

TEST(ContactLaw, FrictionCreepsInThePlane) {
  for (const double way : {1.0, -1.0}) {
    const double slip = (0.5 + 0.0995 * 3) * way, drag = 0.2 * 100 * slip / std::hypot(slip, 0.4);
    const Moment now = sliding_disc("friction: 0.2, creep: 0.4", 0.5 * way, 3 * way);
    EXPECT_NEAR(now["p.x''"], -drag / 2, 1e-9);
    EXPECT_NEAR(now["p.angle''"], -drag * 0.0995 / 0.01, 1e-9);
    EXPECT_NEAR(std::abs(now["f.slip"]), std::abs(slip), 1e-12);
    EXPECT_LT(now["f.slip"] * now["f.friction"], 0);
    EXPECT_NEAR(now["heat.friction'"], drag * slip, 1e-9);
  }
}

TEST(ContactLaw, FrictionSlidesWithAllOfItsCoefficient) {
  for (const double way : {1.0, -1.0}) {
    const Moment now = sliding_disc("friction: 0.2", 0.5 * way, 0);
    EXPECT_NEAR(now["p.x''"], -0.2 * 100 / 2 * way, 1e-9);
    EXPECT_NEAR(now["heat.friction'"], 0.2 * 100 * 0.5, 1e-9);
  }
}

// In space against the slip (0.3, -0.4) across the normal z, of a ball that does not spin.
TEST(ContactLaw, FrictionCreepsAgainstTheSlipInSpace) {
  const Moment now = moment_of(
      "gravity: [0, 0, 0]\nbodies: {ball: {mass: 2, inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}}\n"
      "joints: {p: {type: free, between: [ground, ball]}}\nforces: {f: {type: contact, stiffness: 1e5, friction: 0.2, "
      "creep: 1.2,"
      " between: [{sphere: ball, radius: 0.1}, {plane: ground, normal: z}]}}\n"
      "start: {keep: {ball: [0, 0, 0.099]}, speed: {ball: {velocity: [0.3, -0.4, 7]}}}\n");
  const double drag = 0.2 * 100 / 1.3;  // over the slip of 0.5 m/s; sqrt(0.5^2 + 1.2^2) = 1.3
  EXPECT_NEAR(now["p.x''"], -drag * 0.3 / 2, 1e-9);
  EXPECT_NEAR(now["p.y''"], drag * 0.4 / 2, 1e-9);
  EXPECT_NEAR(now["p.z''"], 100 / 2.0, 1e-9);
  EXPECT_NEAR(now["f.friction"], drag * 0.5, 1e-9);
  EXPECT_NEAR(now["f.slip"], 0.5, 1e-12);
  EXPECT_NEAR(now["heat.friction'"], drag * 0.25, 1e-9);
}

TEST(ContactLaw, SaysWhatBelongsToWhichLaw) {
  const auto said_of = [](const std::string& keys) { return refusal(slides, "type: contact, gap: a, " + keys); };
  EXPECT_EQ(said_of("damping: 1"),
            "forces.f.stiffness: is missing: force per penetration, hertz: {youngs_modulus: …}, or the restitution of "
            "rigid surfaces");
  EXPECT_EQ(said_of("stiffness: 1, law: hunt_crossley"),
            "forces.f.restitution: is missing: the law hunt_crossley is made of it");
  EXPECT_EQ(said_of("stiffness: 1, law: hunt_crossley, restitution: 0.5, damping: 1"),
            "forces.f.damping: belongs to spring_damper; hunt_crossley follows from the restitution");
  EXPECT_EQ(said_of("stiffness: 1, restitution: 0.5"),
            "forces.f.restitution: belongs to law: hunt_crossley or lankarani_nikravesh");
  EXPECT_EQ(said_of("stiffness: 1, impact_speed: 0.5"),
            "forces.f.impact_speed: belongs to law: hunt_crossley or lankarani_nikravesh");
  EXPECT_EQ(said_of("stiffness: 1, tangential_restitution: 0.5"),
            "forces.f.tangential_restitution: belongs to rigid surfaces, which have no stiffness");
  EXPECT_EQ(said_of("stiffness: 1, creep: 0.5"), "forces.f.creep: belongs to friction, which is not given");
  EXPECT_EQ(said_of("stiffness: 1, law: hunt_crossley, restitution: 1.1"),
            "forces.f: a restitution is at most 1: more would make energy");
}

}  // namespace
}  // namespace armature::internal
