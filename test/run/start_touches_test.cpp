// Elastic contacts and end stops that are pressed together at the start: a run warns where that throws bodies apart, and is silent where
// they rest on each other.
#include "prepare/start_touches.hpp"
#include "model/findings.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

std::vector<StartTouch> touches(const Model& model) {
  const Prepared start = prepared(model);
  SystemEvaluator evaluator(start.system);
  return start_touches(evaluator, start.start, start.options.end);
}

// A follower of 10 mm on the circle of 40 mm of a cam, which lies under it where the cam has turned by 90 deg. Where it has not, the cam is
// 8 mm larger there: 2e7 N/m x 8 mm = 160 kN, of which the damping of surfaces that part takes some.
Model cam(const char* turn) {
  return read_model_text(fmt::format(R"yaml(
armature: 1
plane: xy
gravity: [0, -9.81, 0]
parameters: {{h: 8 mm, base: 40 mm, rr: 10 mm, k: 8 N/mm, pre: 60 N}}
bodies:
  cam: {{mass: 2 kg, inertia: {{zz: 2e-3}}}}
  follower: {{mass: 1.5 kg, points: {{roller: [0, 0, 0]}}}}
joints:
  turn: {{type: revolute, between: [ground, cam]}}
  lift: {{type: prismatic, axis: y, between: [ground, follower]}}
forces:
  touch: {{type: contact, between: [{{cam: cam, profile: "base + h*(1 - cos(angle))"}}, {{circle: follower, radius: rr}}], stiffness: 2e7 N/m, damping: 3e3 N*s/m}}
  spring: {{type: torsion_spring, on: lift, stiffness: k, rest: base + rr - pre/k}}
constraints: {{shaft: {{type: prescribed, zero: "turn - ({0}) - 60 rad/s*t"}}}}
start: {{keep: {{turn: {0}, lift: "base + rr - 3.735 um"}}}}
simulate: {{end: 10 ms, record: 1 ms}}
)yaml",
                                     turn));
}

TEST(StartTouches, ARunWarnsOfAFollowerInsideItsCam) {
  const Model model = cam("0 deg");
  ASSERT_THAT(touches(model), SizeIs(1));
  EXPECT_NEAR(touches(model)[0].penetration, 8e-3, 0.1e-3);  // across the slope of the cam
  EXPECT_NEAR(touches(model)[0].force, 160e3, 3e3);
  const Findings findings = simulated(model).outcome.findings;
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].code, FindingCode::start_touch);
  EXPECT_EQ(
      findings[0].sentence,
      "contact touch starts with a penetration of 8.04 mm (159 kN), far more than what else moves it: unless it is a "
      "loaded spring, start where it touches, or at rest (start: equilibrium)");
}

// (60 N + 1.5 kg g)/2e7 N/m = 3.735 um: the follower is pressed on the cam by its spring and its weight.
TEST(StartTouches, ARunIsSilentWhereTheStartIsPressedByItsLoads) {
  const Model model = cam("90 deg");
  ASSERT_THAT(touches(model), SizeIs(1));
  EXPECT_NEAR(touches(model)[0].force, 74.7, 0.1);
  EXPECT_THAT(simulated(model).outcome.findings, IsEmpty());
}

// Four feet share what one would say alone; and walls that press a wheel from both sides are no start that throws it out.
TEST(StartTouches, LookAtAllTouchesTogether) {
  const auto box = [](double depth) {
    return read_model_text(fmt::format(R"(
armature: 1
plane: xy
gravity: [0, -9.81, 0]
bodies: {{box: {{mass: 1, inertia: {{zz: 0.01}}, points: {{a: [-0.1, 0, 0], b: [0.1, 0, 0]}}}}}}
joints: {{pose: {{type: planar, between: [ground, box]}}}}
forces:
  a: {{type: contact, between: [box.a, {{plane: ground, normal: y}}], stiffness: 1e6}}
  b: {{type: contact, between: [box.b, {{plane: ground, normal: y}}], stiffness: 1e6}}
start: {{keep: {{pose.x: 0, pose.y: {}, pose.angle: 0}}}}
simulate: {{end: 10 ms, record: 1 ms}}
)",
                                       -depth));
  };
  EXPECT_FALSE(sudden_start(touches(box(5e-6))));  // m g/2/k = 4.9 um
  EXPECT_THAT(simulated(box(5e-3)).outcome.findings,
              Contains(Field(&Finding::sentence, HasSubstr("starts with a penetration of 5 mm (5 kN), and 1 more"))));
  const Model wheel = read_model_text(R"(
armature: 1
plane: xy
gravity: [0, -9.81, 0]
bodies: {wheel: {mass: 1, inertia: none}}
joints: {y: {type: prismatic, axis: y, between: [ground, wheel]}}
forces:
  slab: {type: contact, gap: y, stiffness: 1e6}
  roof: {type: contact, gap: -2 mm - y, stiffness: 1e6}
start: {keep: {y: -1 mm}}
simulate: {end: 10 ms, record: 1 ms}
)");
  EXPECT_THAT(touches(wheel), SizeIs(2));
  EXPECT_FALSE(sudden_start(touches(wheel)));
}

// A plunger of 1 kg whose spring is loaded with 100 N presses a ball of 50 g with these 100 N: the ball flies off with 2000 m/s^2, as it
// should. Without the spring the same penetration is a mistake.
TEST(StartTouches, ALoadedLauncherIsMeant) {
  const auto launcher = [](double stiffness) {
    return read_model_text(fmt::format(R"(
armature: 1
plane: xy
gravity: [0, -9.81, 0]
bodies: {{plunger: {{mass: 1 kg}}, ball: {{mass: 50 g}}}}
joints:
  rod: {{type: prismatic, axis: y, between: [ground, plunger], spring: {{stiffness: {}, rest: 0.1 m}}}}
  flight: {{type: prismatic, axis: y, between: [ground, ball]}}
forces: {{touch: {{type: contact, gap: flight - rod, stiffness: 1e6 N/m}}}}
start: {{keep: {{rod: 0, flight: -0.1 mm}}}}
simulate: {{end: 50 ms, record: 1 ms}}
)",
                                       stiffness));
  };
  ASSERT_THAT(touches(launcher(1000)), SizeIs(1));
  EXPECT_NEAR(touches(launcher(1000))[0].force, 100, 1e-9);
  EXPECT_NEAR(touches(launcher(1000))[0].load, 100 - 9.81, 1e-9);  // the weight of the plunger is against its spring
  EXPECT_THAT(simulated(launcher(1000)).outcome.findings, IsEmpty());
  EXPECT_THAT(simulated(launcher(0)).outcome.findings, Contains(Field(&Finding::code, FindingCode::start_touch)));
}

TEST(StartTouches, EndStopsAreTouches) {
  const auto door = [](const char* start) {
    return read_model_text(fmt::format(R"(
armature: 1
plane: xy
gravity: [0, 0, 0]
bodies: {{leaf: {{mass: 1, inertia: {{zz: 0.1}}}}}}
joints: {{hinge: {{type: revolute, between: [ground, leaf], limits: {{lower: 0 deg, upper: 90 deg, stiffness: 2000 N*m/rad}}}}}}
start: {{keep: {{hinge: {}}}}}
simulate: {{end: 10 ms, record: 1 ms}}
)",
                                       start));
  };
  EXPECT_THAT(touches(door("45 deg")), IsEmpty());
  EXPECT_THAT(simulated(door("-0.1 rad")).outcome.findings,
              Contains(Field(&Finding::sentence,
                             StartsWith("lower end stop of hinge starts with a penetration of 0.1 rad (200 N m)"))));
}

TEST(StartTouches, NoShippedModelIsWarnedOf) {
  const std::filesystem::path models = std::string(source_directory) + "/models";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(models)) {
    const std::string name = std::filesystem::relative(entry.path(), models).replace_extension().string();
    if (entry.path().extension() != ".yaml" || name.starts_with("robots/")) continue;
    Model model = shipped(name);
    bool has_touches = false;
    for (const ForceElement& force : model.forces) has_touches = has_touches || !force.surfaces.empty();
    for (const Joint& joint : model.joints)
      for (const JointElement& element : joint.elements) has_touches = has_touches || element.stop_stiffness.given();
    if (!has_touches) continue;
    EXPECT_FALSE(sudden_start(touches(model))) << name;
  }
}

}  // namespace
}  // namespace armature::internal
