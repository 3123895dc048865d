// Rigid contact by its law: a box of 2 kg rests or slides on a floor that pushes with its weight, and bounces by its restitution.
#include <gtest/gtest.h>

#include <cmath>

#include "force/two_bodies.hpp"

namespace armature::internal {
namespace {

std::string box(const std::string& law, double y, double x_rate, double y_rate, double end) {
  return fmt::format(
      "gravity: [0, -10, 0]\nplane: xy\nbodies: {{box: {{mass: 2, inertia: {{zz: 1}}}}}}\n"
      "joints: {{p: {{type: planar, between: [ground, box]}}}}\nforces: {{f: {{type: contact, gap: p.y, {}}}}}\n"
      "start: {{keep: {{p.x: 0, p.y: {}, p.angle: 0}}, speed: {{p.x: {}, p.y: {}, p.angle: 0}}}}\nsimulate: {{end: {}, "
      "rtol: 1e-10}}\n",
      law, y, x_rate, y_rate, end);
}

TEST(RigidLaw, CarriesTheWeightAndDragsAgainstTheSliding) {
  for (const double way : {1.0, -1.0}) {
    const Simulation run = simulated_text(box("restitution: 0, friction: 0.3, sliding: p.x'", 0, 2 * way, 0, 0.2));
    EXPECT_NEAR(run.last("f.force"), 20, 1e-9);
    EXPECT_NEAR(run.last("f.friction"), -6 * way, 1e-9);
    EXPECT_NEAR(run.last("f.sliding"), (2 - 0.6) * way, 1e-9);
    EXPECT_NEAR(run.last("f.gap"), 0, 1e-9);
  }
}

TEST(RigidLaw, WithoutFrictionRecordsNone) {
  const Simulation run = simulated_text(box("restitution: 0", 0, 2, 0, 0.2));
  EXPECT_NEAR(run.last("p.x'"), 2, 1e-9);
  EXPECT_TRUE(run.record.column("f.friction").empty());
  // nor has what slides at a speed of its own, which no force changes
  const Simulation belt = simulated_text(box("restitution: 0, friction: 0.3, sliding: 0.5 m/s", 0, 2, 0, 0.2));
  EXPECT_TRUE(belt.record.column("f.friction").empty());
}

// Falls with 3 m/s, leaves with 0.5 of it. Friction takes 0.3 of the impulse off the sliding while that lasts.
TEST(RigidLaw, BouncesByItsRestitutions) {
  const Simulation run = simulated_text(box("restitution: 0.5, friction: 0.3, sliding: p.x'", 1e-9, 2, -3, 1e-4));
  EXPECT_NEAR(run.last("p.y'"), 1.5, 2e-3);
  EXPECT_NEAR(run.last("p.x'"), 2 - 0.3 * 4.5, 1e-6);
  // slow enough to be stopped and thrown back: by 0.4 of 1 m/s
  const Simulation back = simulated_text(
      box("restitution: 0.5, tangential_restitution: 0.4, friction: 0.5, sliding: p.x'", 1e-9, 1, -3, 1e-4));
  EXPECT_NEAR(back.last("p.x'"), -0.4, 1e-6);
}

TEST(RigidLaw, AddsNoEnergy) {
  const auto said_of = [](const std::string& law) {
    try {
      prepared_text(box(law, 0.1, 0, 0, 1));
    } catch (const ModelError& error) {
      return error.diagnostics().at(0).key + ": " + error.diagnostics()[0].message;
    }
    return std::string();
  };
  EXPECT_EQ(said_of("restitution: 1"), "");
  EXPECT_EQ(said_of("restitution: 1.1"), "forces.f: restitution is 1 or less: no impact adds energy");
  EXPECT_EQ(said_of("restitution: 1, friction: 0.1, sliding: p.x', tangential_restitution: 1.1"),
            "forces.f: tangential_restitution is 1 or less: no impact adds energy");
  EXPECT_EQ(said_of("restitution: 1, damping: 1"),
            "forces.f.damping: belongs to a contact with a stiffness; rigid surfaces lose energy by their restitution");
  EXPECT_EQ(said_of("restitution: 1, friction: 1"),
            "forces.f.sliding: is missing: the velocity against which friction acts, such as tip.x'");
  EXPECT_EQ(said_of("restitution: 1, sliding: p.x'"),
            "forces.f.friction: is missing: the coefficient of friction along 'sliding'");
  EXPECT_EQ(said_of("restitution: 1, tangential_restitution: 1"),
            "forces.f.tangential_restitution: needs friction, which reverses the sliding");
  EXPECT_EQ(said_of("restitution: 1, creep: 1"), "forces.f.creep: belongs to a contact with a stiffness");
}

}  // namespace
}  // namespace armature::internal
