// Rigid contacts that slide in different directions and share a load in many ways: the laws of rigid bodies leave the motion open, and the
// run says so. Where the motion does not depend on the shares, it says that.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "model/findings.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

struct Box {
  std::string center = "[0.03, 0.01, h]", feet = "1234", push = "0 N";
  double height = 0, speed = 0.8, spin = 6, friction = 0.3, end = 0.3;
};

// A box on a table, on point feet at its corners.
Simulation slide(const Box& box) {
  std::string feet;
  for (const char k : box.feet)
    feet += fmt::format(
        "  f{0}: {{type: contact, between: [box.p{0}, {{plane: ground, normal: z}}], restitution: 0, friction: {1}}}\n",
        k, box.friction);
  return simulated_text(fmt::format(R"(
gravity: [0, 0, -9.81]
parameters: {{a: 0.2 m, b: 0.1 m, h: 0.03 m}}
bodies:
  box: {{mass: 1 kg, center: {}, inertia: {{xx: 0.004, yy: 0.015, zz: 0.018}}, points: {{p1: [a, b, 0], p2: [-a, b, 0], p3: [-a, -b, 0], p4: [a, -b, 0]}}}}
joints: {{pose: {{type: free, between: [ground, box]}}}}
forces:
{}  push: {{type: force, on: box.p1, is: [0, "{}", 0]}}
start: {{keep: {{pose.x: 0, pose.y: 0, pose.z: {}}}, speed: {{box: {{velocity: [{}, 0, 0], spin: [0, 0, {}]}}}}}}
simulate: {{end: {} s, record: 5 ms}}
)",
                                    box.center, feet, box.push, box.height, box.speed, box.spin, box.end));
}

std::string said(const Simulation& run) {
  std::string all;
  for (const Finding& finding : run.outcome.findings)
    all += fmt::format("{}: {}\n", row_of(finding.code).code, finding.sentence);
  return all;
}

TEST(OpenMotion, IsNamedWhereFeetSlideInDifferentDirections) {
  const Simulation four = slide({});
  EXPECT_THAT(said(four),
              StartsWith("open_motion: from t = 0 s on this motion is one of many: the shares of the contacts "
                         "f1, f2, f3, f4 in the load are not determined by rigid bodies"));
  EXPECT_THAT(said(four), AllOf(HasSubstr("give these contacts a stiffness"), Not(HasSubstr("does not depend"))));
  // with no load on the second foot the same equations hold, all gaps stay closed, and the box turns farther
  const Simulation three = slide({.feet = "134"});
  EXPECT_THAT(three.outcome.findings, IsEmpty());
  for (const char* pushes : {"f1.force", "f3.force", "f4.force"})
    EXPECT_THAT(three.column(pushes), Each(testing::Gt(0)));
  const auto turned = [](const Simulation& run) {
    return std::atan2(run.last("box.p1.y") - run.last("box.p3.y"), run.last("box.p1.x") - run.last("box.p3.x"));
  };
  EXPECT_GT(turned(three) - turned(four), 0.05);
}

TEST(OpenMotion, IsNamedOnceSlidingThatWasParallelTurns) {
  const Box box{.push = "10 N/s*t", .spin = 0};
  EXPECT_THAT(said(slide(box)), AllOf(HasSubstr("this motion is one of many"), Not(HasSubstr("from t = 0 s on"))));
}

TEST(OpenMotion, IsNotWhatParallelSlidingLeaves) {
  for (const Box& box : {Box{.center = "[0, 0, h]", .spin = 0}, Box{.friction = 0}, Box{.speed = 0, .spin = 0}})
    EXPECT_THAT(said(slide(box)), AllOf(HasSubstr("which does not depend on them"), Not(HasSubstr("one of many"))));
}

TEST(OpenMotion, IsNamedAfterAnImpact) {
  EXPECT_THAT(
      said(slide({.height = 0.02, .end = 0.07})),
      StartsWith("open_motion: after the impact at t = 0.0638551 s this motion is one of many: the shares of the "
                 "contacts f1, f2, f3, f4 in the impulse are not determined by rigid bodies"));  // sqrt(2 h/g)
  EXPECT_THAT(slide({.feet = "134", .height = 0.02, .end = 0.07}).outcome.findings, IsEmpty());
  for (const Box& box : {Box{.center = "[0, 0, h]", .height = 0.02, .spin = 0, .end = 0.07},
                         Box{.height = 0.02, .friction = 0, .end = 0.07}})
    EXPECT_THAT(said(slide(box)), Not(HasSubstr("one of many")));
}

// A block that touches two walls may fall between them, or press against both and stick.
TEST(OpenMotion, IsNamedWhereABlockTouchesTwoWalls) {
  const auto block = [](double friction) {
    return simulated_text(fmt::format(R"(
plane: xy
gravity: [0, -9.81, 0]
bodies: {{rail: {{mass: 0.1, inertia: none}}, block: {{mass: 1, inertia: none}}}}
joints:
  x: {{type: prismatic, axis: x, between: [ground, rail]}}
  y: {{type: prismatic, axis: y, between: [rail, block]}}
forces:
  left: {{type: contact, gap: x, sliding: "y'", restitution: 0, friction: {0}}}
  right: {{type: contact, gap: -x, sliding: "y'", restitution: 0, friction: {0}}}
simulate: {{end: 0.1 s, record: 10 ms}}
)",
                                      friction));
  };
  EXPECT_THAT(said(block(0.5)), HasSubstr("this motion is one of many"));
  EXPECT_THAT(said(block(0)), Not(HasSubstr("one of many")));
}

TEST(OpenMotion, IsThatOfNoShippedModel) {
  for (const char* name : {"ball_at_rest", "rod_on_plane", "slider_impacts", "four_bar_stop", "cradle",
                           "block_on_incline", "beam_on_supports", "cam_lift_off"})
    EXPECT_THAT(said(simulated(shipped(std::string("contact/") + name))), Not(HasSubstr("one of many"))) << name;
}

}  // namespace
}  // namespace armature::internal
