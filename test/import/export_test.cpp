// A machine that was exported and imported again is the same: accelerations at random states agree to 1e-12, and its loops are kept.
#include "import/import.hpp"

#include <gmock/gmock.h>

#include "inspect/check.hpp"
#include "inspect/compare.hpp"
#include "inspect/export_robot.hpp"
#include "model/request_error.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

ExportedRobot exported(const Model& model, const std::string& format) {
  return export_robot(model, prepared(model), format);
}

// Every kind of element that all three formats have, closed where all values are zero: a crank-rocker in space with a slider.
const char* const machine = R"(
gravity: [0, 0, -9.81]
bodies:
  crank: {mass: 1, center: [0.1, 0, 0], inertia: {xx: 0.001, yy: 0.01, zz: 0.01, xy: 0.0005}, points: {pin: [0.2, 0, 0]}}
  coupler: {mass: 2, center: [0.3, 0.01, 0], inertia: {xx: 0.002, yy: 0.05, zz: 0.05}}
  rocker: {mass: 1.5, center: [0, 0, 0.2], inertia: {xx: 0.02, yy: 0.02, zz: 0.002}}
  slider: {mass: 0.5, inertia: {xx: 0.001, yy: 0.001, zz: 0.001}}
  wheel: {mass: 0.3, inertia: {xx: 0.001, yy: 0.002, zz: 0.001}}
joints:
  phi: {type: revolute, axis: y, between: [ground, crank], damping: 0.1}
  A: {type: revolute, axis: y, between: [crank.pin, coupler], damping: 0.02}
  B0: {type: revolute, axis: y, between: ["ground [0.8, 0, -0.4]", rocker], friction: 0.01}
  B: {type: BALL, between: ["coupler [0.6, 0, 0]", "rocker [0, 0, 0.4]"], cut: true}
  s: {type: prismatic, axis: [0.6, 0, 0.8], between: ["rocker [0, 0, 0.2]", "slider [0.01, 0, 0]"], damping: 3}
  w: {type: revolute, axis: y, between: ["ground [-0.3, 0, 0]", wheel]}
constraints:
  mesh: {type: gear, between: [w, phi], ratio: -2}
simulate: {end: 0.2 s, record: 10 ms, rtol: 1e-10}
)";

Model machine_with(const std::string& loop) {
  std::string text = machine;
  text.replace(text.find("BALL"), 4, loop);
  return read_model_text("armature: 1\nname: crank and rocker" + text, "m.yaml");
}

class RoundTrip : public testing::TestWithParam<std::tuple<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(, RoundTrip,
                         testing::Combine(testing::Values("urdf", "sdf", "mjcf"),
                                          testing::Values("spherical", "revolute, axis: y")),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) + "_" +
                                  std::string(std::get<1>(info.param)).substr(0, 8);
                         });

TEST_P(RoundTrip, GivesTheMachineBack) {
  const Model own = machine_with(std::get<1>(GetParam()));
  const ExportedRobot out = exported(own, std::get<0>(GetParam()));
  EXPECT_THAT(out.not_exported, testing::IsEmpty()) << testing::PrintToString(out.not_exported);
  Model back = read_model_text(out.text, "m.xml");
  back.simulate = own.simulate;
  CompareOptions options;
  options.states = 10;
  const CompareResult comparison = compare(own, back, options);
  EXPECT_EQ(comparison.obstacle, "") << out.text;
  EXPECT_LT(comparison.acceleration, 1e-12) << comparison.acceleration_of << out.text;
  EXPECT_FALSE(comparison.apart()) << comparison.verdict();
  const auto mobility = [](const Model& model) {
    const Prepared start = prepared(model);
    return check(model, *start.system, start.start).degrees_of_freedom;
  };
  EXPECT_EQ(mobility(own), mobility(back));
}

// Loops of the shipped machines are open where all values are zero: MJCF shows the start.
class Shipped : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, Shipped, testing::Values("slider_crank", "four_bar", "n_four_bar"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(Shipped, ComesBackFromMjcf) {
  const Model own = shipped(GetParam());
  const ExportedRobot out = exported(own, "mjcf");
  Model back = read_model_text(out.text, "m.xml");
  CompareOptions options;
  options.states = 10;
  options.run = false;
  const CompareResult comparison = compare(own, back, options);
  EXPECT_EQ(comparison.obstacle, "");
  EXPECT_LT(comparison.acceleration, 1e-10) << comparison.acceleration_of;
}

// The tree meets the ball from its second side, and it starts turned.
TEST(Export, ABallMayBeMetFromEitherSide) {
  const Model own = read_model_text(R"(armature: 1
gravity: [0, 0, -9.81]
bodies:
  a: {mass: 1, center: [0, 0.2, 0], inertia: {xx: 0.02, yy: 0.001, zz: 0.02}}
  b: {mass: 0.5, center: [0.1, 0, -0.1], inertia: {xx: 0.01, yy: 0.02, zz: 0.01}}
joints:
  h: {type: revolute, axis: x, between: [ground, a]}
  k: {type: spherical, between: ["b [0.3, 0, 0]", "a [0, 0.4, 0]"]}
start: {keep: {h: 0.4}, near: {k.w: 0.8, k.x: 0.6}}
simulate: {end: 0.5 s, record: 0.5 s, rtol: 1e-10}
)");
  Model back = read_model_text(exported(own, "mjcf").text, "m.xml");
  back.simulate = own.simulate;
  const Simulation first = simulated(own), second = simulated(back);
  for (const char* channel : {"h", "h'"})
    for (int row : {0, 1}) EXPECT_NEAR(second.at(row, channel), first.at(row, channel), 1e-8) << channel << " " << row;
}

TEST(Export, ListsWhatAFormatCannotSay) {
  const Model model = read_model_text(R"(armature: 1
gravity: [0, 0, -9.81]
bodies: {b: {mass: 1, center: [1, 0, 0], inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {j: {type: revolute, axis: y, between: [ground, b], inertia: 0.1, spring: {stiffness: 3}}}
forces: {f: {type: force, on: b, is: [0, 0, t]}}
start: {speed: {j: 2}}
)");
  EXPECT_THAT(
      exported(model, "urdf").not_exported,
      testing::ElementsAre("forces.f: a force", "start.speed: j", "joint j: reflected inertia", "joint j: its spring"));
  EXPECT_THAT(exported(model, "sdf").not_exported,
              testing::ElementsAre("forces.f: a force", "start.speed: j", "joint j: reflected inertia"));
  EXPECT_THAT(exported(model, "mjcf").not_exported, testing::ElementsAre("forces.f: a force", "start.speed: j"));
}

// A slide without limits must not become one that cannot move, and a limit on one side stays one.
TEST(Export, OfUrdfKeepsLimitsAndTheirAbsence) {
  const Model model = read_model_text(R"(armature: 1
gravity: [0, 0, -9.81]
bodies:
  a: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  b: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  s: {type: prismatic, axis: x, between: [ground, a]}
  r: {type: revolute, axis: y, between: [a, b], limits: {lower: -0.5, stiffness: 100, damping: 1}}
)");
  const ExportedRobot out = exported(model, "urdf");
  const Model back = read_model_text(out.text, "m.urdf");
  EXPECT_FALSE(back.joints[0].elements.size() > 0 &&
               (back.joints[0].elements[0].lower.given() || back.joints[0].elements[0].upper.given()));
  ASSERT_EQ(back.joints[1].elements.size(), 1u);
  EXPECT_TRUE(back.joints[1].elements[0].lower.given());
  EXPECT_FALSE(back.joints[1].elements[0].upper.given());
  EXPECT_THAT(out.not_exported, testing::ElementsAre("joint r: the stiffness of its end stops"));
}

TEST(Export, RefusesFlexibleBodies) {
  const Model model = shipped("flexible_slider_crank");
  EXPECT_THAT([&] { exported(model, "urdf"); },
              testing::ThrowsMessage<RequestError>(HasSubstr("is flexible; robots are rigid")));
}

}  // namespace
}  // namespace armature::internal
